import { onlyValue } from '../../../common/ranges/valueSet.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import { ipvsDevice } from '../../../netfilter/ipvs/ipvsDevice.ts';
import { commands } from '../../../problems/catalogue/commands.ts';
import type { TracedOutcome } from '../../../trace/traceResult.ts';
import { isHostAddress } from '../../../walk/isHostAddress.ts';
import { addressText } from '../../../walk/values/text.ts';
import { trailItems } from '../../../walk/values/trail.ts';
import type { CauseDraft } from '../../cause.ts';
import { fact } from '../../evidence.ts';
import { nodeBehind } from '../../nodeBehind.ts';
import { policyLocalRule } from '../../policyLocalRule.ts';
import type { WhyQuestion } from '../../whyQuestion.ts';

/**
 * IPVS mode: what the node sends to a Service has the Service's own address as its source until a rule masquerades it. Every node has that
 * address, so the answer from another one stays there.
 */
export function fromServiceAddress({ first }: TracedOutcome, question: WhyQuestion): CauseDraft | undefined {
  const { input } = question;
  const { packet } = first.flow;
  const [source, receiver] = [onlyValue(packet.source), onlyValue(packet.destination)];
  if (first.end.kind !== 'leaves' || source === undefined || receiver === undefined) return undefined;
  if (!input.tables.some(({ name }) => name === 'nat')) return undefined;
  const ofServices = input.topology.interfaces.get(ipvsDevice)?.addresses ?? [];
  if (!ofServices.some(({ address }) => address === source) || isHostAddress(source, input)) return undefined;
  const pod = input.topology.pods.find(({ addresses }) => addresses.includes(receiver));
  const node = pod?.node ?? nodeBehind(receiver, question);
  if (node !== undefined && node === input.topology.node) return undefined;
  // With a policy Local the servers are on this node.
  if (node === undefined && policyLocalRule(trailItems(first.flow.path)) !== undefined) return undefined;
  const address = addressText(source);
  const left = `the packet leaves with ${address}, the Service's own address, as its source, as no rule masquerades it`;
  const said =
    node === undefined
      ? `Whether the answer comes back depends on where ${addressText(receiver)} is, which was not given: ${left}. Another node has that address too, and keeps the answer.`
      : `The answer does not come back: ${left}. Node ${escapeText(node)} has that address too, and keeps the answer.`;
  return {
    code: 'way-back',
    what: said,
    evidence: [fact(`${address} is on ${ipvsDevice}, which every node has`)],
    fix: `Compare the rules with the manifests (\`k8snet diff\`). ${commands.restart}`,
    ...(node === undefined && { isUnknown: true }),
  };
}
