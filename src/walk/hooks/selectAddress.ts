import type { Value } from '../../common/ranges/valueRange.ts';
import { cached, type WalkContext } from '../context.ts';
import type { InterfaceAddress } from '../input/topology.ts';

/** The source address for a packet that leaves by this interface, as `inet_select_addr` chooses it. */
export function selectAddress(device: string | undefined, towards: Value, context: WalkContext): Value | undefined {
  const { interfaces } = context.input.topology;
  const own = interfaces.get(device ?? '')?.addresses ?? [];
  // A node has an interface for each of its Pods, usually without addresses.
  const holders = cached(context, selectAddress, () =>
    [...interfaces.values()].filter(({ addresses }) => addresses.length > 0),
  );
  const others = holders.filter(({ name }) => name !== device).flatMap(({ addresses }) => addresses);
  return typeof towards === 'bigint' ? chosenV6(own, others, towards) : chosenV4(own, others, towards);
}

/** The first address of the interface, preferably in the network of the next hop; host-only addresses do not count. */
function chosenV4(
  own: readonly InterfaceAddress[],
  others: readonly InterfaceAddress[],
  towards: Value,
): Value | undefined {
  const usable = own.filter(({ scope }) => scope !== 'host');
  const near = usable.find(({ network }) => network.first <= towards && towards <= network.last);
  const first = near ?? usable.find(({ scope }) => scope === 'global') ?? usable[0];
  return (first ?? others.find(({ scope }) => scope === 'global'))?.address;
}

/**
 * RFC 6724, as far as it matters here: the destination itself, its scope, addresses of the interface, the longest
 * common prefix.
 */
function chosenV6(
  own: readonly InterfaceAddress[],
  others: readonly InterfaceAddress[],
  towards: Value,
): Value | undefined {
  const isLink = BigInt(towards) >> 118n === 0x3fan;
  const rank = (candidate: InterfaceAddress, isOwn: boolean): readonly number[] => [
    candidate.address === towards ? 1 : 0,
    (candidate.scope === 'link') === isLink ? 1 : 0,
    candidate.scope === 'host' ? 0 : 1,
    candidate.isDeprecated ? 0 : 1,
    isOwn ? 1 : 0,
    commonBits(BigInt(candidate.address), BigInt(towards)),
  ];
  let best: { readonly address: Value; readonly rank: readonly number[] } | undefined;
  for (const [list, isOwn] of [[own, true] as const, [others, false] as const]) {
    for (const candidate of list) {
      if (candidate.scope === 'link' && !isOwn) continue;
      const ranked = rank(candidate, isOwn);
      if (best === undefined || isBetter(ranked, best.rank)) best = { address: candidate.address, rank: ranked };
    }
  }
  return best?.address;
}

function isBetter(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at !== -1 && (one[at] ?? 0) > (other[at] ?? 0);
}

function commonBits(a: bigint, b: bigint): number {
  const differing = a ^ b;
  return 128 - (differing === 0n ? 0 : differing.toString(2).length);
}
