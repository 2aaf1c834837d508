import { savedUserspace } from '../../emit/userspace/emitUserspace.ts';
import { dumpedProxyPorts } from '../../node/dumpedProxyPorts.ts';
import { planUserspace } from '../../plan/planUserspace.ts';
import { savedRules } from '../expected/savedRules.ts';
import type { RulesBackend } from './rulesBackend.ts';

export const userspaceRules: RulesBackend<'userspace'> = {
  mode: 'userspace',
  rules: (dialect, { family }, { compiled, found }) => {
    const known = dumpedProxyPorts(found, family);
    const proxied = planUserspace(compiled.model, dialect.plan, () => {}, known);
    return [savedRules(savedUserspace(proxied, dialect.spelling))];
  },
};
