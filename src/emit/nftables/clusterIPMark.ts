import type { Statement } from '../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { ServicePlan, SharedNodePlan } from '../../plan/plan.ts';
import { chains, sets } from './chainNames.ts';
import { localMatch } from './localMatch.ts';
import { markForMasquerade } from './masquerading.ts';
import type { ServiceNames } from './names.ts';
import { inSet, matches, type ProxyTable } from './table.ts';

/** One rule for all cluster IPs: traffic to them that is not a local pod's is masqueraded. */
export function* emitClusterIPMark(table: ProxyTable, node: SharedNodePlan): Generator<NftCommand> {
  const isClusterIP = inSet(table.destination, sets.clusterIPs);
  const marked = markForMasquerade(table, node);
  const { masquerade } = node.clusterMasquerade;
  if (masquerade === 'always') {
    yield table.addRule(chains.services, [isClusterIP, marked], 'masquerade all clusterIP traffic');
  } else if (masquerade === 'offCluster') {
    const isForeign = localMatch(table, node.localDetector, '!=');
    yield table.addRule(
      chains.services,
      [isClusterIP, ...isForeign, marked],
      'masquerade clusterIP traffic from outside cluster',
    );
  }
}

/** The same for one service port, in the chain that its cluster IP leads to: replies come back through this node. */
export function* emitServiceClusterIPMark(
  table: ProxyTable,
  node: SharedNodePlan,
  plan: ServicePlan,
  names: ServiceNames,
): Generator<NftCommand> {
  const { kind, masquerade, over } = plan.internal;
  if (kind !== 'balance' || masquerade === 'never') {
    return;
  }
  const isPort = matches({ kind: 'payload', protocol: plan.protocol, field: 'dport' }, String(plan.port.port));
  const statements: Statement[] = [
    matches(table.destination, plan.port.clusterIP),
    ...(table.dialect.clusterIPMark === 'addressAndPort' ? [isPort] : []),
    ...(masquerade === 'always' ? [] : localMatch(table, node.localDetector, '!=')),
    markForMasquerade(table, node),
  ];
  yield table.addRule(over === 'local' ? names.local : names.service, statements);
}
