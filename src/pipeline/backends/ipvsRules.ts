import { emitIpvs } from '../../emit/ipvs/emitIpvs.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import { addLines, chainOf, type TableDraft } from '../../node/chains/chainDraft.ts';
import { ipsetRules, ipvsRules as serverRules } from '../../node/ipvsRules.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import type { Plan } from '../../plan/plan.ts';
import { savedRules } from '../expected/savedRules.ts';
import type { RulesBackend } from './rulesBackend.ts';

export const ipvsRules: RulesBackend<'ipvs'> = {
  mode: 'ipvs',
  rules: ({ spelling }, plan, { compiled }) => {
    const { config, node: facts } = compiled.model;
    const node = emitIpvs(plan, spelling, config.ipvs, facts.namedLoopback ?? [], () => {});
    return [
      savedRules(node.saved),
      ...ipsetRules(node.sets, ''),
      ...serverRules(node.ipvs, ''),
      addressRules(plan, node.addresses),
    ];
  },
};

function addressRules(plan: Plan, addresses: readonly string[]): ToolRules {
  const table: TableDraft = { name: 'addresses', isWhole: true, chains: new Map() };
  const device = chainOf(table, ipvsDevice, '');
  device.isDeclared = true;
  for (const address of addresses) addLines(device, address.split('/')[0] as string, 0);
  return { kind: 'addresses', family: plan.family, tables: new Map([['addresses', table]]), files: [] };
}
