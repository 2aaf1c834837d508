import { expectedIptables } from '../expected/expectedIptables.ts';
import { iptablesOnDemand } from '../expected/iptablesOnDemand.ts';
import { natBytes } from '../search/natBytes.ts';
import { searchEndpoints } from '../search/searchEndpoints.ts';
import type { RulesBackend } from './rulesBackend.ts';

export const iptablesRules: RulesBackend<'iptables'> = {
  mode: 'iptables',
  rules: ({ spelling }, plan, { compiled, options, found, equal, search, like, isOnDemand }) => {
    if (isOnDemand) return [iptablesOnDemand(plan, spelling, options)];
    const [own, kept] = [found, like].map((node) => node?.iptables.find(({ family }) => family === plan.family));
    const compared = { found: own, equal, written: compiled.written?.iptables, search, like: kept };
    return [expectedIptables(plan, spelling, options, compared)];
  },
  begin: ({ spelling }, plan, dump, search) => {
    const bytes = natBytes(dump.iptables.find(({ family }) => family === plan.family));
    if (bytes !== undefined) searchEndpoints(plan, spelling, search);
  },
};
