import type { EmitOptions } from '../emit/iptables/emitOptions.ts';
import { emitIpvs } from '../emit/ipvs/emitIpvs.ts';
import { emitNftables } from '../emit/nftables/emitNftables.ts';
import { savedUserspace } from '../emit/userspace/emitUserspace.ts';
import { ipvsDevice } from '../netfilter/ipvs/ipvsDevice.ts';
import { applyTransaction } from '../netfilter/nft/applyTransaction.ts';
import { addLines, chainOf, type TableDraft } from '../node/chainDraft.ts';
import { dumpedProxyPorts } from '../node/dumpedProxyPorts.ts';
import { type EqualChainsDraft, equalChains } from '../node/equalChains.ts';
import type { ExpectedRules } from '../node/expectedRules.ts';
import { ipsetRules, ipvsRules } from '../node/ipvsRules.ts';
import { nftRules } from '../node/nftRules.ts';
import type { NodeRules, ToolRules } from '../node/nodeRules.ts';
import { nodeRulesOf } from '../node/ruleKinds.ts';
import type { Plan } from '../plan/plan.ts';
import { planUserspace } from '../plan/planUserspace.ts';
import type { Compiled } from './compile.ts';
import { expectedIptables } from './expectedIptables.ts';
import { savedRules } from './savedRules.ts';

/**
 * What kube-proxy's rules on a node should be. `found`, where given, is what they are compared with: of chains that it
 * holds with the same text no copy is made.
 */
export function expectedRules(compiled: Compiled, options: EmitOptions, found?: NodeRules): ExpectedRules {
  const equal = equalChains();
  const rules = compiled.plans.flatMap((plan) => rulesOfFamily(compiled, plan, options, found, equal));
  return { rules: nodeRulesOf('manifests', rules), equal };
}

function rulesOfFamily(
  compiled: Compiled,
  plan: Plan,
  options: EmitOptions,
  found: NodeRules | undefined,
  equal: EqualChainsDraft,
): readonly ToolRules[] {
  const { config, node: facts } = compiled.model;
  const { dialect } = compiled;
  switch (dialect.mode) {
    case 'iptables': {
      const twin = found?.iptables.find(({ family }) => family === plan.family);
      return [expectedIptables(plan, dialect.spelling, options, { found: twin, equal, written: compiled.written })];
    }
    case 'nftables':
      return nftRules(applyTransaction(emitNftables(plan, dialect.spelling)), '');
    case 'ipvs': {
      const node = emitIpvs(plan, dialect.spelling, config.ipvs, facts.namedLoopback ?? [], () => {});
      return [
        savedRules(node.saved),
        ...ipsetRules(node.sets, ''),
        ...ipvsRules(node.ipvs, ''),
        addressRules(plan, node.addresses),
      ];
    }
    case 'userspace': {
      const known = dumpedProxyPorts(found, plan.family);
      const proxied = planUserspace(compiled.model, dialect.plan, () => {}, known);
      return [savedRules(savedUserspace(proxied, dialect.spelling))];
    }
  }
}

function addressRules(plan: Plan, addresses: readonly string[]): ToolRules {
  const table: TableDraft = { name: 'addresses', isWhole: true, chains: new Map() };
  const device = chainOf(table, ipvsDevice, '');
  device.isDeclared = true;
  for (const address of addresses) addLines(device, address.split('/')[0] as string, 0);
  return { kind: 'addresses', family: plan.family, tables: new Map([['addresses', table]]), files: [] };
}
