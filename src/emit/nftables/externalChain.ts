import type { NftablesDialect } from '../../dialect/nftables/nftablesDialect.ts';
import type { Selector } from '../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { NodePlan, ServicePlan } from '../../plan/plan.ts';
import { chains } from './chainNames.ts';
import { localMatch } from './localMatch.ts';
import type { ServiceNames } from './names.ts';
import { goTo, jump, matches, type ProxyTable } from './table.ts';

const sourceType: Selector = { kind: 'fib', flags: ['saddr'], result: 'type' };

/** What node ports, external IPs and load-balancer IPs go through before they are balanced. */
export function* emitExternalChain(
  table: ProxyTable,
  dialect: NftablesDialect,
  node: NodePlan,
  plan: ServicePlan,
  names: ServiceNames,
): Generator<NftCommand> {
  if (plan.external.masquerade === 'never') {
    // Pods and processes of this node are not outside: for them an external address is a name of the cluster IP.
    if (plan.bypassesLocal.pods) {
      const fromPod = localMatch(table, dialect, node.localDetector, '==');
      yield table.addRule(names.external, [...fromPod, goTo(names.service)], 'short-circuit pod traffic');
    }
    const fromNode = matches(sourceType, 'local');
    yield table.addRule(names.external, [fromNode, jump(chains.markForMasquerade)], 'masquerade local traffic');
    yield table.addRule(names.external, [fromNode, goTo(names.service)], 'short-circuit local traffic');
  } else {
    yield table.addRule(names.external, [jump(chains.markForMasquerade)]);
  }
  if (plan.external.kind === 'balance') {
    yield table.addRule(names.external, [goTo(plan.external.over === 'local' ? names.local : names.service)]);
  }
}
