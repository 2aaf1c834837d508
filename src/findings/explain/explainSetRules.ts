import { hostOfCidr } from '../../common/addresses/hostOfCidr.ts';
import { isLoopbackIp } from '../../common/addresses/ip.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { setNames } from '../../netfilter/iptables/ruleParts.ts';
import type { ExplainContext } from './explainWith.ts';
import { jumpTarget } from './jumpTarget.ts';
import { lostRules } from './lostRules.ts';
import type { RuleDifference } from './ruleDifferences.ts';
import { otherPodRange } from './unmarkedReason.ts';

/** IPVS mode: rules that check whether a set contains a packet's destination, and act for all Services in that set. */
export function explainSetRules({ items, say, diff }: ExplainContext): void {
  const chain = escapeText(diff.chain);
  const isMark = ({ rule }: RuleDifference) => jumpTarget(rule) === 'KUBE-MARK-MASQ';
  const isLocal = ({ rule }: RuleDifference) =>
    jumpTarget(rule) === 'RETURN' && setNames(rule).some((set) => set.includes('-LOCAL'));
  const missing = items.filter((item) => isMark(item) && item.side !== 'extra');
  const marked = items.filter((item) => isLocal(item) || (isMark(item) && item.side === 'extra'));
  const loopback = items.filter(({ rule }) => leavesLoopback(rule));
  if (loopback.length > 0) {
    const seen = `${chain} ${loopback.some(({ side }) => side === 'missing') ? 'masquerades' : 'does not masquerade'} what comes from loopback addresses`;
    say('K8N408', loopback, { what: seen, severity: 'warning', isAdvice: false, ...lostRules });
  }
  const rest = items.filter((item) => !isMark(item) && !isLocal(item) && !loopback.includes(item));
  if (missing.length > 0) {
    sayMarking(missing, marked, chain, say);
  } else if (marked.length > 0 && marked.every(isOfNodePorts)) {
    // kube-proxy writes the rule for a set that has members.
    say('K8N702', marked, { what: `${chain} has rules for sets of node ports that should be empty` });
  } else if (marked.length > 0) {
    const seen = `${chain} marks other traffic than it should`;
    say('K8N408', marked, { what: seen, severity: 'warning', isAdvice: false, ...lostRules });
  }
  if (rest.length > 0)
    say('K8N201', rest, { what: `${chain} does not let in what the sets hold as it should`, ...lostRules });
}

function isOfNodePorts({ rule, side }: RuleDifference): boolean {
  const sets = setNames(rule);
  return side === 'extra' && sets.length > 0 && sets.every((set) => proxySetKind(set)?.startsWith('NODE-PORT'));
}

/** kube-proxy's setting for Pod addresses shows in the rule for cluster IPs; no other rule depends on it. */
function sayMarking(
  missing: readonly RuleDifference[],
  marked: readonly RuleDifference[],
  chain: string,
  say: ExplainContext['say'],
): void {
  const items = [...missing, ...marked];
  const seen = `${chain} does not mark what comes from outside as it should`;
  const other = marked.find(({ rule, side }) => side === 'extra' && jumpTarget(rule) === 'KUBE-MARK-MASQ');
  const set = other?.rule.words.find((word) => word.kind === 'set');
  if (other === undefined || set?.kind !== 'set') {
    say('K8N401', items, { what: seen, ...lostRules });
    return;
  }
  const range = podRangeOf(other);
  const asked = missing.map(podRangeOf).find((one) => one !== undefined);
  if (range !== undefined && range !== asked) {
    const instead = asked === undefined ? 'and should mark what they send too' : `not by ${escapeText(asked)}`;
    say('K8N401', items, {
      what: `${chain} knows local Pods by ${escapeText(range)}, ${instead}`,
      ...otherPodRange,
    });
  } else if (range === undefined && set.sides.join(',') === 'dst,dst') {
    say('K8N408', items, {
      what: `${chain} marks all traffic to cluster IPs, that of Pods too`,
      severity: 'warning',
      isAdvice: false,
    });
  } else {
    say('K8N401', items, { what: seen });
  }
}

function podRangeOf({ rule }: RuleDifference): string | undefined {
  const word = rule.words.find((one) => (one.kind === 'source' || one.kind === 'inInterface') && one.negated);
  return word?.kind === 'source' ? word.address : word?.kind === 'inInterface' ? word.name : undefined;
}

/** What the node sends from a loopback address to itself stays as it is: some versions begin with that. */
export function leavesLoopback(rule: Rule): boolean {
  const [only, ...others] = rule.words;
  const isAlone = only?.kind === 'source' && !only.negated && others.length === 0;
  return isAlone && isLoopbackIp(hostOfCidr(only.address)) && jumpTarget(rule) === 'RETURN';
}
