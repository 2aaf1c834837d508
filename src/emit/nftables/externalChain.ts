import type { Selector } from '../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { NodePlan, ServicePlan } from '../../plan/plan.ts';
import { localMatch } from './localMatch.ts';
import { markForMasquerade } from './masquerading.ts';
import type { ServiceNames } from './names.ts';
import { goTo, matches, type ProxyTable } from './table.ts';

const sourceType: Selector = { kind: 'fib', flags: ['saddr'], result: 'type' };

/** What node ports, external IPs and load-balancer IPs go through before they are balanced. */
export function* emitExternalChain(
  table: ProxyTable,
  node: NodePlan,
  plan: ServicePlan,
  names: ServiceNames,
): Generator<NftCommand> {
  const marked = markForMasquerade(table, node);
  if (plan.external.masquerade === 'never') {
    // Pods and processes of this node are not outside: for them an external address is a name of the cluster IP.
    if (plan.bypassesLocal.pods) {
      const fromPod = localMatch(table, node.localDetector, '==');
      yield table.addRule(names.external, [...fromPod, goTo(names.service)], 'short-circuit pod traffic');
    }
    const fromNode = matches(sourceType, 'local');
    yield table.addRule(names.external, [fromNode, marked], 'masquerade local traffic');
    yield table.addRule(names.external, [fromNode, goTo(names.service)], 'short-circuit local traffic');
  } else {
    const comment = table.dialect.masqueradeMark === 'inPlace' ? 'masquerade' : undefined;
    yield table.addRule(names.external, [marked], comment);
  }
  if (plan.external.kind === 'balance') {
    yield table.addRule(names.external, [goTo(plan.external.over === 'local' ? names.local : names.service)]);
  }
}
