import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { NodePlan } from '../../plan/plan.ts';
import { emitBaseChains } from './baseChains.ts';
import { chains, sets } from './chainNames.ts';
import { emitClusterIPMark } from './clusterIPMark.ts';
import { emitFirewallCheck } from './firewall.ts';
import { emitLocalNodePorts } from './localNodePorts.ts';
import { emitMasquerading } from './masquerading.ts';
import { emitNodePortAddresses, nodePortMatch } from './nodePortAddresses.ts';
import { inSet, lookUp, matches, type ProxyTable, portKey, portTypes, verdict, verdictMap } from './table.ts';

/** Everything that does not depend on the Services, in kube-proxy's order. */
export function* emitSkeleton(table: ProxyTable, node: NodePlan): Generator<NftCommand> {
  const { dialect } = table;
  yield table.addTable('rules for kube-proxy');
  yield* emitBaseChains(table);
  yield* emitMasquerading(table, node);
  if (node.dropsInvalid) {
    const isInvalid = matches({ kind: 'ct', key: 'state' }, 'invalid');
    yield table.addRule(chains.forward, [isInvalid, verdict({ kind: 'drop' })]);
  }
  if (dialect.checksClusterIPs) {
    yield* emitClusterIPsCheck(table, node);
  }
  yield* emitNodePortAddresses(table, node.nodePorts);
  yield* emitEndpointChecks(table, node);
  if (dialect.localNodePorts !== 'none') yield* emitLocalNodePorts(table, node);
  yield* emitFirewallCheck(table);
  yield* emitServiceLookups(table, node);
  for (const { kind, name } of dialect.flushes) {
    yield table.flushSet(kind, name);
  }
}

function* emitClusterIPsCheck(table: ProxyTable, { serviceCIDRs }: NodePlan): Generator<NftCommand> {
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
  if (!table.dialect.dropsUnallocated || serviceCIDRs.length === 0) return;
  // kube-proxy joins the ranges in no fixed order, with commas alone.
  const elements = serviceCIDRs.map((cidr) => [cidr]);
  yield table.addRule(
    chains.clusterIPsCheck,
    [
      {
        kind: 'match',
        left: table.destination,
        operator: '==',
        right: { kind: 'anonymousSet', elements, isTight: true },
      },
      verdict({ kind: 'drop' }),
    ],
    'Drop traffic to unallocated ClusterIPs',
  );
}

/** Rejects and drops packets without an endpoint, before anything is translated. */
function* emitEndpointChecks(table: ProxyTable, node: NodePlan): Generator<NftCommand> {
  yield table.addSet(
    verdictMap(
      sets.noEndpointServices,
      [table.addressType, ...portTypes],
      'vmap to drop or reject packets to services with no endpoints',
    ),
  );
  yield table.addSet(
    verdictMap(
      sets.noEndpointNodePorts,
      portTypes,
      'vmap to drop or reject packets to service nodeports with no endpoints',
    ),
  );
  yield table.addChain(chains.reject, { comment: 'helper for @no-endpoint-services / @no-endpoint-nodeports' });
  yield table.flushChain(chains.reject);
  yield table.addRule(chains.reject, [{ kind: 'reject' }]);
  // A chain only for node ports gets its packets from the input hook, where they are always local.
  const isHookLocal = table.dialect.endpointChecks === 'perKind';
  yield table.addRule(isHookLocal ? chains.serviceEndpointsCheck : chains.endpointsCheck, [
    lookUp(table.serviceKey, sets.noEndpointServices),
  ]);
  yield table.addRule(isHookLocal ? chains.nodePortEndpointsCheck : chains.endpointsCheck, [
    ...nodePortMatch(table, node.nodePorts, { isHookLocal }),
    lookUp(portKey, sets.noEndpointNodePorts),
  ]);
}

/** The maps from addresses and ports to chains of services, and the rules that look into them. */
function* emitServiceLookups(table: ProxyTable, node: NodePlan): Generator<NftCommand> {
  yield table.addSet(
    verdictMap(sets.serviceIPs, [table.addressType, ...portTypes], 'ClusterIP, ExternalIP and LoadBalancer IP traffic'),
  );
  yield table.addSet(verdictMap(sets.serviceNodePorts, portTypes, 'NodePort traffic'));
  if (table.dialect.clusterIPMark === 'services') {
    yield* emitClusterIPMark(table, node);
  }
  yield table.addRule(chains.services, [lookUp(table.serviceKey, sets.serviceIPs)]);
  yield table.addRule(chains.services, [
    ...nodePortMatch(table, node.nodePorts, { isHookLocal: false }),
    lookUp(portKey, sets.serviceNodePorts),
  ]);
}
