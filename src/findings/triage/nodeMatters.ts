import { cidrContains } from '../../common/addresses/cidr.ts';
import type { RuleChange } from '../../compare/ruleChange.ts';
import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { isProxyTable } from '../../netfilter/proxyChains.ts';
import type { Plan, ServicePlan } from '../../plan/plan.ts';
import { servicePortName } from '../../plan/servicePortName.ts';
import { hairpinSet } from '../../seen/nft/hairpinSet.ts';
import type { Finding } from '../finding.ts';

/**
 * What depends on the Node that a dump comes from: which endpoints are on it, or meant for its zone, and whether it is in
 * a source range.
 */
export interface NodeMatters {
  /** `namespace/name`. */
  readonly services: readonly string[];
  /** Of a Service port (`namespace/name:port`). */
  readonly isOwner: (name: string | undefined) => boolean;
  readonly isOfNode: (finding: Finding) => boolean;
}

/** `nodeAddresses`: those of all Nodes that it may be; none: no Node is given. */
export function nodeMatters(plans: readonly Plan[], nodeAddresses: readonly string[]): NodeMatters {
  const dependent = new Map<string | undefined, ServicePlan>();
  let isNodeInRange = false;
  for (const service of plans.flatMap(({ services }) => services)) {
    const isInRange = mayAllowNode(service, nodeAddresses);
    isNodeInRange ||= isInRange;
    if (isInRange || asksForNode(service)) dependent.set(servicePortName(service.port), service);
  }
  const isOfNodeAlone = (change: RuleChange) => isOfLocalSet(change) || (isNodeInRange && isAllowedToItself(change));
  return {
    services: [...new Set([...dependent.values()].map(({ port }) => `${port.namespace}/${port.name}`))],
    isOwner: (name) => dependent.has(name),
    isOfNode: ({ code, service, isServiceMissing, isAdvice, rules = [] }) => {
      if (isAdvice && !remarks.has(code)) return false;
      if (rules.length > 0 && rules.every(isOfNodeAlone)) return true;
      if (service === undefined) return false;
      const own = dependent.get(service);
      return own !== undefined && !(isServiceMissing && !own.isInternalPolicyLocal);
    },
  };
}

/** Remarks on what is on the node. */
const remarks: ReadonlySet<string> = new Set(['K8N307', 'K8N502', 'K8N503', 'K8N801']);

function asksForNode({ isInternalPolicyLocal, isExternalPolicyLocal, all }: ServicePlan): boolean {
  const hasHints = () => all.some(({ zoneHints, nodeHints }) => zoneHints.length > 0 || nodeHints.length > 0);
  return isInternalPolicyLocal || isExternalPolicyLocal || hasHints();
}

/** Where source ranges allow the node, the load balancer's own addresses are allowed, too, which rules usually show. */
function mayAllowNode({ port, loadBalancerIPs, sourceRanges }: ServicePlan, nodeAddresses: readonly string[]): boolean {
  if (port.allowsNode !== undefined || loadBalancerIPs.length === 0) return false;
  const isAllowed = (range: string) => nodeAddresses.some((address) => cidrContains(range.trim(), address));
  return nodeAddresses.length === 0 ? sourceRanges.length > 0 : sourceRanges.some(isAllowed);
}

/**
 * IPVS mode: sets of endpoints on the node, and of node ports, which depend on the node's addresses, and the rule that is
 * there if the first is. nftables mode since 1.36: the set of endpoints on the node.
 */
function isOfLocalSet({ table, chain, expected, found }: RuleChange): boolean {
  if (table === 'ipset') return /^(?:LOOP-BACK|NODE-PORT-)/.test(proxySetKind(chain) ?? '');
  if (chain === hairpinSet) return isProxyTable(table);
  return setOfThree(found ?? expected)?.startsWith('LOOP-BACK') === true;
}

/**
 * Addresses of load balancers that are allowed to themselves. nftables mode in 1.29: elements of a set of all Services.
 * IPVS mode: the rule that is there if any are, and those that drop what the others send to themselves.
 */
function isAllowedToItself({ table, chain, expected, found }: RuleChange): boolean {
  const text = found ?? expected ?? '';
  if (chain === 'KUBE-IPVS-OUT-FILTER') return /(?:^| )-s (\S+)\/\d+ .* --vaddr \1 /.test(text);
  if (chain === allowedSet) return isProxyTable(table) && /^(\S+) \. \S+ \. \d+ \. \1$/.test(text);
  return setOfThree(text) === 'LOAD-BALANCER-SOURCE-IP';
}

/** Among the chains of kube-proxy's table. */
const allowedSet = 'set firewall-allow';

/** The kind of a set that a rule of IPVS mode asks for receiver, port and sender. */
function setOfThree(rule = ''): string | undefined {
  const [, set = ''] = /--match-set (\S+) dst,dst,src /.exec(rule) ?? [];
  return proxySetKind(set);
}
