import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { ServicePlan, SharedNodePlan } from '../../plan/plan.ts';
import { chains, sets } from './chainNames.ts';
import { lookUp, matches, type ProxyTable, portKey, portTypes, verdictMap } from './table.ts';

/**
 * Node ports on loopback addresses (gate KubeProxyNFTablesLocalhostNodePorts, since 1.37). If nodePortAddresses names
 * loopback, kube-proxy itself answers there for TCP; other packets are counted and rejected. With the gate off, its
 * remains are deleted: they are added first, since nft cannot delete what does not exist.
 */
export function* emitLocalNodePorts(table: ProxyTable, node: SharedNodePlan): Generator<NftCommand> {
  const map = verdictMap(sets.rejectedLocalPorts, portTypes, 'localhost NodePorts rejected by kube-proxy');
  yield table.addSet(map);
  const rejected = rejectedProtocols(table, node);
  if (rejected.length === 0) yield table.deleteSet(map.name, 'map');
  for (const protocol of rejected) {
    const { chain, counter } = names(protocol);
    yield table.addCounter(counter);
    yield* table.ensureChain(chain);
    yield table.addRule(chain, [{ kind: 'foreign', text: `counter name "${counter}"` }, { kind: 'reject' }]);
  }
  if (rejected.length > 0) {
    const isLoopback = matches(table.destination, table.loopback);
    yield table.addRule(chains.nodePortEndpointsCheck, [isLoopback, lookUp(portKey, map.name)]);
  }
  for (const protocol of protocols.filter((one) => !rejected.includes(one))) {
    const { chain, counter } = names(protocol);
    yield table.addChain(chain);
    yield table.deleteChain(chain);
    yield table.addCounter(counter);
    yield table.deleteCounter(counter);
  }
}

/** The element that rejects a node port on loopback addresses, if nobody answers. */
export function emitRejectedLocalPort(
  table: ProxyTable,
  node: SharedNodePlan,
  plan: ServicePlan,
): readonly NftCommand[] {
  const { protocol, port } = plan;
  if (!rejectedProtocols(table, node).includes(protocol)) return [];
  const verdict = { kind: 'goto', chain: names(protocol).chain } as const;
  return table.addElement(sets.rejectedLocalPorts, { key: [protocol, String(port.nodePort)], verdict });
}

const protocols: readonly string[] = ['tcp', 'udp', 'sctp'];

function rejectedProtocols({ dialect }: ProxyTable, { namesLoopback }: SharedNodePlan): readonly string[] {
  if (dialect.localNodePorts !== 'proxied') return [];
  return namesLoopback ? protocols.filter((one) => one !== 'tcp') : protocols;
}

function names(protocol: string): { readonly chain: string; readonly counter: string } {
  return { chain: `localhost-nodeport-reject-${protocol}`, counter: `localhost-nodeport-rejected-${protocol}` };
}
