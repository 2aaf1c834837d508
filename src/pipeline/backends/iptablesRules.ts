import { expectedIptables } from '../expectedIptables.ts';
import { natBytes } from '../natBytes.ts';
import { searchEndpoints } from '../searchEndpoints.ts';
import type { RulesBackend } from './rulesBackend.ts';

export const iptablesRules: RulesBackend<'iptables'> = {
  mode: 'iptables',
  rules: ({ spelling }, plan, { compiled, options, found, equal }) => {
    const twin = found?.iptables.find(({ family }) => family === plan.family);
    return [expectedIptables(plan, spelling, options, { found: twin, equal, written: compiled.written })];
  },
  search: ({ spelling }, plan, dump) => {
    const bytes = natBytes(dump.iptables.find(({ family }) => family === plan.family));
    if (bytes !== undefined) searchEndpoints(plan, spelling, bytes);
  },
};
