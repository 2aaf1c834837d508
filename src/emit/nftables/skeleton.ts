import type { NftablesDialect } from '../../dialect/nftables/nftablesDialect.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { NodePlan } from '../../plan/plan.ts';
import { emitBaseChains } from './baseChains.ts';
import { chains, sets } from './chainNames.ts';
import { emitMasquerading } from './masquerading.ts';
import { emitNodePortAddresses, nodePortMatch } from './nodePortAddresses.ts';
import { destinationPort, inSet, l4proto, type ProxyTable } from './table.ts';

/** Everything that is there whatever the services are, in kube-proxy 1.30's order. */
export function* emitSkeleton(table: ProxyTable, _dialect: NftablesDialect, node: NodePlan): Generator<NftCommand> {
  yield table.addTable('rules for kube-proxy');
  yield* emitBaseChains(table);
  yield* emitMasquerading(table, node.mark);
  yield table.addSet({
    kind: 'set',
    name: sets.clusterIPs,
    type: [table.addressType],
    flags: [],
    comment: 'Active ClusterIPs',
    elements: [],
  });
  yield table.addRule(
    chains.clusterIPsCheck,
    [inSet(table.destination, sets.clusterIPs), { kind: 'reject' }],
    'Reject traffic to invalid ports of ClusterIPs',
  );
  yield* emitNodePortAddresses(table, node.nodePorts);
  yield* emitLookups(table, node);
  yield table.flushSet('set', sets.clusterIPs);
  for (const map of [
    sets.firewallIPs,
    sets.noEndpointServices,
    sets.noEndpointNodePorts,
    sets.serviceIPs,
    sets.serviceNodePorts,
  ]) {
    yield table.flushSet('map', map);
  }
}

/** The maps from addresses and ports to chains, and the rules that look into them. */
function* emitLookups(table: ProxyTable, node: NodePlan): Generator<NftCommand> {
  const byAddress = {
    kind: 'concat',
    parts: [table.destination, l4proto, destinationPort],
  } as const;
  const byPort = { kind: 'concat', parts: [l4proto, destinationPort] } as const;
  const addMap = (name: string, keyedBy: 'address' | 'port', comment: string) =>
    table.addSet({
      kind: 'map',
      name,
      type: keyedBy === 'address' ? [table.addressType, 'inet_proto', 'inet_service'] : ['inet_proto', 'inet_service'],
      valueType: ['verdict'],
      flags: [],
      comment,
      elements: [],
    });
  const lookUp = (name: string, key: typeof byAddress | typeof byPort) =>
    ({ kind: 'vmap', key, map: { kind: 'namedMap', name } }) as const;

  yield addMap(sets.noEndpointServices, 'address', 'vmap to drop or reject packets to services with no endpoints');
  yield addMap(
    sets.noEndpointNodePorts,
    'port',
    'vmap to drop or reject packets to service nodeports with no endpoints',
  );
  yield table.addChain(chains.reject, { comment: 'helper for @no-endpoint-services / @no-endpoint-nodeports' });
  yield table.flushChain(chains.reject);
  yield table.addRule(chains.reject, [{ kind: 'reject' }]);
  yield table.addRule(chains.serviceEndpointsCheck, [lookUp(sets.noEndpointServices, byAddress)]);
  yield table.addRule(chains.nodePortEndpointsCheck, [
    ...nodePortMatch(table, node.nodePorts, { isHookLocal: true }),
    lookUp(sets.noEndpointNodePorts, byPort),
  ]);
  yield addMap(sets.firewallIPs, 'address', 'destinations that are subject to LoadBalancerSourceRanges');
  yield table.addRule(chains.firewallCheck, [lookUp(sets.firewallIPs, byAddress)]);
  yield addMap(sets.serviceIPs, 'address', 'ClusterIP, ExternalIP and LoadBalancer IP traffic');
  yield addMap(sets.serviceNodePorts, 'port', 'NodePort traffic');
  yield table.addRule(chains.services, [lookUp(sets.serviceIPs, byAddress)]);
  yield table.addRule(chains.services, [
    ...nodePortMatch(table, node.nodePorts, { isHookLocal: false }),
    lookUp(sets.serviceNodePorts, byPort),
  ]);
}
