import { isLoopbackIp } from '../../common/addresses/ip.ts';
import type { Statement } from '../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { NodePortAddresses } from '../../plan/plan.ts';
import { sets } from './chainNames.ts';
import { inSet, matches, type ProxyTable } from './table.ts';

/** The set of addresses that node ports answer on; if any local address will do, there is no set. */
export function* emitNodePortAddresses(table: ProxyTable, nodePorts: NodePortAddresses): Generator<NftCommand> {
  yield table.addSet({
    kind: 'set',
    name: sets.nodePortIPs,
    type: [table.addressType],
    flags: [],
    comment: 'IPs that accept NodePort traffic',
    elements: [],
  });
  if (nodePorts.kind === 'anyLocal') {
    yield table.deleteSet(sets.nodePortIPs);
    return;
  }
  yield table.flushSet('set', sets.nodePortIPs);
  for (const address of nodePorts.addresses) {
    // Node ports on loopback would need route_localnet, which this mode leaves alone.
    if (!isLoopbackIp(address)) {
      yield* table.addElement(sets.nodePortIPs, { key: [address] });
    }
  }
}

/** Matches traffic to a node port's address. Packets in the input hook are always local. */
export function nodePortMatch(
  table: ProxyTable,
  nodePorts: NodePortAddresses,
  { isHookLocal }: { readonly isHookLocal: boolean },
): readonly Statement[] {
  if (nodePorts.kind === 'addresses') {
    return [inSet(table.destination, sets.nodePortIPs)];
  }
  const notLoopback = matches(table.destination, table.loopback, '!=');
  return isHookLocal
    ? [notLoopback]
    : [matches({ kind: 'fib', flags: ['daddr'], result: 'type' }, 'local'), notLoopback];
}
