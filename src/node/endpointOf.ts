import type { Family } from '../common/addresses/family.ts';
import { usualEndpoint } from './chains/usualEndpoint.ts';
import { pickRules } from './pickRules.ts';
import type { RuleChain } from './ruleChain.ts';

/** `ip:port` that a KUBE-SEP chain translates to. */
export function endpointOf(chain: RuleChain | undefined, family: Family): string | undefined {
  const usual = chain && usualEndpoint(chain.text);
  if (usual !== undefined) return usual;
  for (const { rule } of pickRules(chain, family, dnat)) if (rule.target?.kind === 'dnat') return rule.target.to;
  return undefined;
}

const dnat = { holds: ['DNAT'] };
