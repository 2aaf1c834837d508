import { addressNumber, formatAddressNumber } from '../../common/addresses/addressNumber.ts';
import type { Family } from '../../common/addresses/family.ts';
import { ascending } from '../../common/ascending.ts';
import { type AddressRange, rangeOfCidr } from '../../common/ranges/addressRange.ts';
import { prefixesOf, prefixText } from '../../common/ranges/prefixesOf.ts';
import { union, without } from '../../common/ranges/valueSet.ts';
import type { NetPolicyPeer } from '../../model/netPolicy.ts';
import type { PolicyModel } from '../../model/policyModel.ts';

/** Addresses outside the cluster that no policy tells apart. */
export interface ExternalClass {
  /** `external`, `external 203.0.113.0/24`, `external other`. */
  readonly name: string;
  /** One of them, which no Pod and no Node has. */
  readonly address: string;
}

/**
 * The addresses of a family by which of the policies' ipBlocks hold them; those in no block come last. What only Pods and
 * Nodes have is no class.
 */
export function externalClasses(model: PolicyModel, family: Family): readonly ExternalClass[] {
  const blocks = blocksOf(model, family);
  const taken = new Set([...model.pods, ...model.nodes].flatMap(({ ips }) => ips));
  const classes: { ranges: readonly AddressRange[]; block: string | undefined; address: string }[] = [];
  for (const { ranges, block } of rangesByBlocks(blocks, family)) {
    const address = freeAddress(ranges, family, taken);
    if (address !== undefined) classes.push({ ranges, block, address });
  }
  if (classes.length === 1) return classes.map(({ address }) => ({ name: 'external', address }));
  const uses = new Map<string | undefined, number>();
  for (const { block } of classes) uses.set(block, (uses.get(block) ?? 0) + 1);
  return classes.map(({ ranges, block, address }) => {
    const prefixes = ranges.flatMap((range) => prefixesOf(range, family).map(prefixText));
    return { name: `external ${nameOf(prefixes, uses.get(block) === 1 ? block : undefined, block)}`, address };
  });
}

/** TEST-NET-3 (RFC 5737) and 2001:db8::/32 (RFC 3849): addresses that no cluster has, for "somewhere outside". */
const somewhere: Readonly<Record<Family, string>> = { ipv4: '203.0.113.1', ipv6: '2001:db8::1' };

/** Few prefixes say it best, then a block that only this class is in; the class in no block is `other`. */
function nameOf(prefixes: readonly string[], ownBlock: string | undefined, block: string | undefined): string {
  const [first = '', second, third] = prefixes;
  if (third === undefined) return second === undefined ? first : `${first}, ${second}`;
  if (block === undefined) return 'other';
  return ownBlock ?? `${first}, ${second} and ${prefixes.length - 2} more`;
}

/** Every ipBlock of a family once, by its text: `10.0.0.0/8 except 10.1.0.0/16`. */
function blocksOf(model: PolicyModel, family: Family): ReadonlyMap<string, readonly AddressRange[]> {
  const blocks = new Map<string, readonly AddressRange[]>();
  for (const { ingress, egress } of model.policies) {
    for (const { peers } of [...(ingress ?? []), ...(egress ?? [])]) {
      for (const peer of peers?.all ?? []) {
        if (peer.kind !== 'ipBlock' || peer.cidr.family !== family) continue;
        const text = blockText(peer);
        if (!blocks.has(text)) blocks.set(text, without(rangeOfCidr(peer.cidr), peer.except.map(rangeOfCidr)));
      }
    }
  }
  for (const { egress } of model.clusterPolicies) {
    for (const peer of egress.flatMap(({ peers }) => peers)) {
      if (peer.kind !== 'networks') continue;
      for (const cidr of peer.cidrs) {
        if (cidr.family === family && !blocks.has(cidr.text)) blocks.set(cidr.text, [rangeOfCidr(cidr)]);
      }
    }
  }
  return blocks;
}

function blockText({ cidr, except }: Extract<NetPolicyPeer, { kind: 'ipBlock' }>): string {
  return except.length === 0 ? cidr.text : `${cidr.text} except ${except.map(({ text }) => text).join(', ')}`;
}

interface BlockClass {
  readonly ranges: readonly AddressRange[];
  /** The smallest block that it is in. */
  readonly block: string | undefined;
}

/** Goes through the address space once, from border to border. */
function rangesByBlocks(blocks: ReadonlyMap<string, readonly AddressRange[]>, family: Family): readonly BlockClass[] {
  const size = (ranges: readonly AddressRange[]) =>
    ranges.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
  const smallestFirst = [...blocks]
    .map(([text, ranges]) => ({ text, ranges, size: size(ranges) }))
    .sort((a, b) => ascending(a.size, b.size) || ascending(a.text, b.text));
  const borders = new Map<bigint, { readonly at: number; readonly isStart: boolean }[]>([[0n, []]]);
  const border = (address: bigint, at: number, isStart: boolean) => {
    const own = borders.get(address) ?? [];
    own.push({ at, isStart });
    borders.set(address, own);
  };
  for (const [at, { ranges }] of smallestFirst.entries()) {
    for (const { first, last } of ranges) {
      border(first, at, true);
      border(last + 1n, at, false);
    }
  }
  const end = 1n << (family === 'ipv4' ? 32n : 128n);
  const starts = [...borders.keys()].filter((address) => address < end).sort(ascending);
  const inside = new Set<number>();
  const classes = new Map<string, { ranges: AddressRange[]; block: string | undefined }>();
  for (const [index, first] of starts.entries()) {
    for (const { at, isStart } of borders.get(first) ?? []) if (!isStart) inside.delete(at);
    for (const { at, isStart } of borders.get(first) ?? []) if (isStart) inside.add(at);
    const members = [...inside].sort((a, b) => a - b);
    const known = classes.get(members.join());
    const range = { first, last: (starts[index + 1] ?? end) - 1n };
    if (known === undefined) {
      classes.set(members.join(), { ranges: [range], block: smallestFirst[members[0] ?? -1]?.text });
    } else {
      known.ranges.push(range);
    }
  }
  const found = [...classes.values()].map(({ ranges, block }) => ({ ranges: union(ranges), block }));
  return [...found.filter(({ block }) => block !== undefined), ...found.filter(({ block }) => block === undefined)];
}

/** Undefined: Pods and Nodes have all of them. */
function freeAddress(ranges: readonly AddressRange[], family: Family, taken: ReadonlySet<string>): string | undefined {
  const usual = addressNumber(somewhere[family], family) ?? 0n;
  if (ranges.some(({ first, last }) => first <= usual && usual <= last) && !taken.has(somewhere[family])) {
    return somewhere[family];
  }
  for (const { first, last } of ranges) {
    // The first address of a network is seldom a machine's.
    for (let address = first < last ? first + 1n : first; address <= last; address += 1n) {
      const text = formatAddressNumber(address, family);
      if (!taken.has(text)) return text;
    }
    if (first < last && !taken.has(formatAddressNumber(first, family))) return formatAddressNumber(first, family);
  }
  return undefined;
}
