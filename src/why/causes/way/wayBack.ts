import { onlyValue, type ValueSet } from '../../../common/ranges/valueSet.ts';
import { commands } from '../../../problems/catalogue/commands.ts';
import { isPodShortcut } from '../../../seen/names/isPodShortcut.ts';
import { isAnswered, type TracedOutcome } from '../../../trace/traceResult.ts';
import { isTranslated } from '../../../walk/ask/isTranslated.ts';
import type { WalkEvent } from '../../../walk/flow.ts';
import { isOfProxy } from '../../../walk/input/isOfProxy.ts';
import { addressText } from '../../../walk/values/text.ts';
import { trailItems } from '../../../walk/values/trail.ts';
import type { CauseDraft } from '../../cause.ts';
import { evidenceOf } from '../../evidence.ts';
import { fixes } from '../../fixes.ts';
import { markedToDrop } from '../../markedToDrop.ts';
import type { WhyQuestion } from '../../whyQuestion.ts';
import { fromOtherNode } from './fromOtherNode.ts';
import { fromServiceAddress } from './fromServiceAddress.ts';
import { unmasqueraded } from './unmasqueraded.ts';
import { withoutLocalServer } from './withoutLocalServer.ts';

/** The packet arrives, but its reply does not get back to the sender. */
export function wayBack(outcome: TracedOutcome, isDone: boolean, question: WhyQuestion): CauseDraft | undefined {
  const { reply, first } = outcome;
  if (reply === undefined) {
    if (!isDone || isTranslated(first.flow.connection, 'source')) return undefined;
    const events = trailItems(first.flow.path);
    const dropped = markedToDrop(events, question);
    if (dropped !== undefined) return dropped;
    const lost = unmasqueraded(outcome);
    if (lost !== undefined) return lost;
    const elsewhere = fromOtherNode(question);
    if (elsewhere !== undefined) return elsewhere;
    const isPlacedThere = isPlaced(first.flow.packet.destination, question);
    const unserved = isPlacedThere ? withoutLocalServer(first, events, question) : undefined;
    if (unserved !== undefined) return unserved;
    const said = !isPlacedThere ? notPlaced : events.some(isShortcut) ? sharedByPods : notMasqueraded;
    const decisive = events.findLast(isUnmarked) ?? events.findLast(({ rule }) => rule !== undefined);
    return { code: 'way-back', evidence: evidenceOf(decisive), ...said };
  }
  if (isAnswered(outcome)) return fromServiceAddress(outcome, question);
  const last = trailItems(reply.flow.path).at(-1);
  if (last?.rule !== undefined && (reply.end.kind === 'dropped' || reply.end.kind === 'rejected')) {
    const { chain } = last;
    return {
      code: 'way-back',
      what: `The answer is lost on its way back: a rule in ${chain.table.name} ${chain.name} ${reply.end.kind === 'dropped' ? 'drops' : 'rejects'} it.`,
      evidence: evidenceOf(last),
      fix: isOfProxy(chain)
        ? `Compare the rules with the manifests (\`k8snet diff\`). ${commands.restart}`
        : fixes.otherProgram,
    };
  }
  if (reply.end.kind === 'unknown') {
    return {
      code: 'way-back',
      what: `Whether the answer comes back is unknown: ${reply.end.why}.`,
      evidence: evidenceOf(last),
      fix: reply.end.unseen === undefined ? fixes.namedRule : commands.wholeDump,
      isUnknown: true,
    };
  }
  const why = 'why' in reply.end ? reply.end.why : reply.end.kind;
  const isUnroutable = reply.end.kind === 'unroutable';
  return {
    code: 'way-back',
    what: `The answer is lost on its way back: ${why}.`,
    evidence: isUnroutable ? [] : evidenceOf(last),
    fix: isUnroutable
      ? `Check the routes and rp_filter of this node: \`ip route get ${addressText(question.result.packet.source)}\` shows which route leads to the sender.`
      : 'Let answers of established connections pass (`iptables -I FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT`), and check routing and rp_filter on the way back.',
  };
}

/** A rule ended the chain before it could mark the packet for masquerading. */
function isUnmarked({ rule, verdict, chain, hook }: WalkEvent): boolean {
  if (rule === undefined || verdict !== 'return' || hook === 'postrouting' || !isOfProxy(chain)) return false;
  return chain
    .rules()
    .some(
      ({ number, steps }) =>
        number > rule.number && steps.some((step) => step.kind === 'assign' && step.target === 'mark'),
    );
}

const notPlaced = {
  what: 'The packet arrives with the address of its sender. The answer comes back only if the sender or the endpoint is on this node, and nothing shows that.',
  fix: 'Give the routes of the node (`--routes FILE`, with what `ip route show table all` prints), or the objects of the cluster (`-f`): they show where Pods are.',
  isUnknown: true,
} as const;

const notMasqueraded = {
  what: 'The answer does not come back by this node: the packet was translated but not masqueraded, so the endpoint answers the client directly, which drops the answer.',
  fix: 'See with `k8snet doctor` what marks packets to be masqueraded, and what masquerades them: kube-proxy may have no cluster CIDR, or too wide a one, or the mark is not set or not tested.',
} as const;

/** By design: to masquerade would hide the source that the policy keeps. */
const sharedByPods = {
  what: 'The answer does not come back by this node: what Pods send to a Service with externalTrafficPolicy: Local goes to all of its endpoints, and is not masqueraded. So the endpoint answers the client directly, which drops the answer.',
  fix: 'Let Pods use the cluster IP, or an address of their own node: `kubectl -n NAMESPACE get service NAME`. Where the network plug-in masquerades what Pods send to addresses of nodes, ask with that source instead.',
} as const;

function isShortcut({ rule, target }: WalkEvent): boolean {
  return target !== undefined && isPodShortcut(rule?.comment);
}

/** Routes show where the address is, or objects do. */
function isPlaced(destination: ValueSet, { input }: WhyQuestion): boolean {
  const { assumed, pods, hosts } = input.topology;
  const address = onlyValue(destination);
  return !assumed.has('routes') || [...pods, ...hosts].some(({ addresses }) => address && addresses.includes(address));
}
