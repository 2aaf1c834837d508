import type { ValueRange } from '../../common/ranges/valueRange.ts';
import { union, type ValueSet } from '../../common/ranges/valueSet.ts';
import type { RouteType } from '../../netfilter/meaning.ts';
import { cached, type WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import type { Topology } from '../input/topology.ts';

/** Which addresses have which type; all others are `unicast`. With an interface, only its own addresses are local. */
export function addressTypes(
  flow: Flow,
  side: 'source' | 'destination',
  via: 'in' | 'out' | undefined,
  context: WalkContext,
): ReadonlyMap<RouteType, ValueSet> {
  const device = via === undefined ? undefined : via === 'in' ? flow.inInterface : flow.outInterface;
  const { topology } = context.input;
  const all = cached(context, topology, () => new Map<string, ReadonlyMap<RouteType, ValueSet>>());
  const isV6 = typeof flow.packet[side][0]?.first === 'bigint';
  const name = `${device ?? ''}`;
  let types = all.get(name);
  if (types === undefined) {
    types = typesOf(topology, device, isV6);
    all.set(name, types);
  }
  return types;
}

function typesOf(topology: Topology, device: string | undefined, isV6: boolean): ReadonlyMap<RouteType, ValueSet> {
  const types = new Map<RouteType, ValueRange[]>();
  const add = (type: RouteType, range: ValueRange) => {
    const ranges = types.get(type);
    if (ranges === undefined) types.set(type, [range]);
    else ranges.push(range);
  };
  if (isV6) {
    add('multicast', { first: 0xff00n << 112n, last: (1n << 128n) - 1n });
  } else {
    add('broadcast', { first: 0, last: 0 });
    add('broadcast', { first: 0xffffffff, last: 0xffffffff });
    add('multicast', { first: 0xe0000000, last: 0xefffffff });
  }
  const found = new Set<string>();
  for (const route of topology.routes) {
    if (route.table !== 'local' || route.type === 'multicast' || route.type === 'unicast') continue;
    // The first route to an address wins: an equal address on another interface is not found.
    const key = `${route.destination.first} ${route.destination.last}`;
    if (device === undefined || (route.device === device && !found.has(key))) {
      add(route.type as RouteType, route.destination);
    }
    found.add(key);
  }
  const known = new Map<RouteType, ValueSet>();
  // Broadcast addresses lie within 127/8 and the like; the longer prefix counts.
  for (const type of ['broadcast', 'anycast', 'multicast', 'local', 'blackhole', 'unreachable', 'prohibit'] as const) {
    const ranges = types.get(type);
    if (ranges !== undefined) known.set(type, union(ranges));
  }
  return known;
}
