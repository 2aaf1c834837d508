import type { Selector } from '../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { ServicePlan, SharedNodePlan } from '../../plan/plan.ts';
import { localMatch } from './localMatch.ts';
import { markForMasquerade } from './masquerading.ts';
import type { ServiceNames } from './names.ts';
import { goTo, matches, type ProxyTable } from './table.ts';

const sourceType: Selector = { kind: 'fib', flags: ['saddr'], result: 'type' };

/** What packets to node ports, external IPs and load-balancer IPs pass before they are balanced. */
export function* emitExternalChain(
  table: ProxyTable,
  node: SharedNodePlan,
  plan: ServicePlan,
  names: ServiceNames,
): Generator<NftCommand> {
  const { external, shortCircuits } = plan;
  const marked = markForMasquerade(table, node);
  if (external.masquerade !== 'never') {
    const fromElsewhere = external.masquerade === 'offCluster' ? localMatch(table, node.localDetector, '!=') : [];
    const comment = table.dialect.masqueradeMark === 'inPlace' ? 'masquerade' : undefined;
    yield table.addRule(names.external, [...fromElsewhere, marked], comment);
  }
  if (shortCircuits.pods) {
    const fromPod = localMatch(table, node.localDetector, '==');
    yield table.addRule(names.external, [...fromPod, goTo(names.service)], 'short-circuit pod traffic');
  }
  if (shortCircuits.node) {
    const fromNode = matches(sourceType, 'local');
    yield table.addRule(names.external, [fromNode, marked], 'masquerade local traffic');
    yield table.addRule(names.external, [fromNode, goTo(names.service)], 'short-circuit local traffic');
  }
  if (external.kind === 'balance') {
    yield table.addRule(names.external, [goTo(external.over === 'local' ? names.local : names.service)]);
  }
}
