import type { RuleChange } from '../../compare/ruleChange.ts';
import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { isProxyTable } from '../../netfilter/proxyChains.ts';
import type { Plan, ServicePlan } from '../../plan/plan.ts';
import { servicePortName } from '../../plan/servicePortName.ts';
import { hairpinSet } from '../../seen/nft/hairpinSet.ts';
import type { Finding } from '../finding.ts';

/** What depends on the Node that a dump comes from: which endpoints are on it, or meant for its zone. */
export interface NodeMatters {
  /** `namespace/name`. */
  readonly services: readonly string[];
  /** Of a Service port (`namespace/name:port`). */
  readonly isOwner: (name: string | undefined) => boolean;
  readonly isOfNode: (finding: Finding) => boolean;
}

export function nodeMatters(plans: readonly Plan[]): NodeMatters {
  const dependent = new Map<string | undefined, ServicePlan>();
  for (const { services } of plans)
    for (const service of services) if (asksForNode(service)) dependent.set(servicePortName(service.port), service);
  return {
    services: [...new Set([...dependent.values()].map(({ port }) => `${port.namespace}/${port.name}`))],
    isOwner: (name) => dependent.has(name),
    isOfNode: ({ code, service, isServiceMissing, isAdvice, rules = [] }) => {
      if (isAdvice && !remarks.has(code)) return false;
      if (rules.length > 0 && rules.every(isOfLocalSet)) return true;
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

/**
 * IPVS mode: sets of endpoints on the node, and of node ports, which depend on the node's addresses, and the rule that is
 * there if the first is. nftables mode since 1.36: the set of endpoints on the node.
 */
function isOfLocalSet({ table, chain, expected, found }: RuleChange): boolean {
  if (table === 'ipset') return /^(?:LOOP-BACK|NODE-PORT-)/.test(proxySetKind(chain) ?? '');
  if (chain === hairpinSet) return isProxyTable(table);
  const [, set = ''] = /--match-set (\S+) dst,dst,src /.exec(found ?? expected ?? '') ?? [];
  return proxySetKind(set)?.startsWith('LOOP-BACK') === true;
}
