import type { Family } from '../common/family.ts';
import type { RuleChain } from './nodeRules.ts';
import { rulesOf } from './rulesOf.ts';

/** `ip:port` that a KUBE-SEP chain translates to. */
export function endpointOf(chain: RuleChain | undefined, family: Family): string | undefined {
  for (const rule of chain ? rulesOf(chain, family) : []) if (rule.target?.kind === 'dnat') return rule.target.to;
  return undefined;
}
