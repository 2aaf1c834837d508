import { ipsetRules, ipvsRules } from '../../dump/readIpvsParts.ts';
import { nftRules } from '../../dump/readNft.ts';
import type { EmitOptions } from '../../emit/iptables/emitOptions.ts';
import { emitIpvs } from '../../emit/ipvs/emitIpvs.ts';
import { emitNftables } from '../../emit/nftables/emitNftables.ts';
import { applyTransaction } from '../../netfilter/nft/applyTransaction.ts';
import { addLine } from '../../node/chainLines.ts';
import { chainOf, type RuleSet, type RuleTable } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import type { Plan } from '../../plan/plan.ts';
import { expectedIptables } from './expectedIptables.ts';
import { rulesetRules } from './rulesetRules.ts';

/** What should be on the node, one set of rules a kind and family. `found` is what it will be compared with. */
export function expectedRules(compiled: Compiled, options: EmitOptions, found: readonly RuleSet[]): readonly RuleSet[] {
  return compiled.plans.flatMap((plan) => expectedOfFamily(compiled, plan, options, found));
}

function expectedOfFamily(
  compiled: Compiled,
  plan: Plan,
  options: EmitOptions,
  found: readonly RuleSet[],
): readonly RuleSet[] {
  const { config, node: facts } = compiled.model;
  const { dialect } = compiled;
  switch (dialect.mode) {
    case 'iptables':
      return [
        expectedIptables(
          plan,
          dialect.spelling,
          options,
          found.find(({ kind, family }) => kind === 'iptables' && family === plan.family),
        ),
      ];
    case 'nftables':
      return nftRules(applyTransaction(emitNftables(plan, dialect.spelling)), '');
    case 'ipvs': {
      const node = emitIpvs(plan, dialect.spelling, config.ipvs, facts.namedLoopback ?? [], () => {});
      const table: RuleTable = { name: 'addresses', isWhole: true, chains: new Map() };
      const device = chainOf(table, 'kube-ipvs0', '');
      device.isDeclared = true;
      for (const address of node.addresses) addLine(device, address.split('/')[0] as string, 0);
      return [
        rulesetRules(node.saved),
        ...ipsetRules(node.sets, ''),
        ...ipvsRules(node.ipvs, ''),
        { kind: 'addresses', family: plan.family, tables: new Map([['addresses', table]]), files: [] },
      ];
    }
  }
}
