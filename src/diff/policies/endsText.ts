import { formatIp } from '../../common/addresses/ip.ts';
import { addTo } from '../../common/addTo.ts';
import { networkText, prefixesOf } from '../../common/ranges/prefixesOf.ts';
import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import type { ValueSet } from '../../common/ranges/valueSet.ts';
import type { PolicyModel } from '../../model/policyModel.ts';
import { addressValue } from '../../netfilter/addressRanges.ts';
import { type Connections, type GateDifference, setKey } from './gateDifference.ts';
import { everyPort, packetsOf } from './gateJudge.ts';

/** Addresses that Pods have to themselves, in ascending order. */
export type PodNames = readonly { readonly address: Value; readonly pod: string }[];

export function podNames({ pods }: PolicyModel): PodNames {
  return pods
    .filter(({ isHostNetwork }) => !isHostNetwork)
    .flatMap(({ id, ips }) =>
      ips.flatMap((ip) => {
        const address = addressValue(ip);
        return address === undefined ? [] : [{ address, pod: id }];
      }),
    )
    .sort((one, other) => (one.address < other.address ? -1 : one.address > other.address ? 1 : 0));
}

/**
 * The other ends, by what they have in common: `from shop/web-3 (5432/tcp), from 192.168.0.0/16 (any port)`. Most
 * addresses come last.
 */
export function endsText(
  all: readonly Connections[],
  end: Pick<GateDifference, 'address' | 'direction'>,
  names: PodNames,
): string {
  const preposition = end.direction === 'ingress' ? 'from' : 'to';
  const byPeers = new Map<string, Connections[]>();
  for (const one of all) addTo(byPeers, setKey(one.peers), one);
  const few = [...byPeers.values()].filter(([one]) => one !== undefined && !areMost(one.peers));
  const most = all.filter(({ peers }) => areMost(peers));
  const groups = few.map((own) => `${preposition} ${peersText(own[0]?.peers ?? [], names)} (${portsText(own)})`);
  if (most.length > 0) {
    const whole = setKey(wholeOf(end));
    const who = most.every(({ peers }) => setKey(peers) === whole) ? 'anywhere' : 'most addresses';
    groups.push(`${preposition} ${who} (${portsText(most)})`);
  }
  const shown = groups.slice(0, mostGroups);
  return groups.length > mostGroups ? `${shown.join(', ')} and others` : shown.join(' and ');
}

const mostGroups = 2;
const mostPeers = 3;
const mostPorts = 3;

function wholeOf(end: Pick<GateDifference, 'address' | 'direction'>): ValueSet {
  const [packet] = packetsOf(end);
  return (end.direction === 'ingress' ? packet?.source : packet?.destination) ?? [];
}

/** `shop/web-3`, `10.244.2.5`, `192.168.0.0/16`. */
function peersText(peers: ValueSet, names: PodNames): string {
  const texts: string[] = [];
  for (const range of peers) {
    for (const text of rangeTexts(range, names)) texts.push(text);
    if (texts.length > mostPeers) return `${texts.slice(0, mostPeers).join(', ')} and others`;
  }
  return texts.join(', ');
}

/** The Pods if all of these addresses are theirs; the network if it is one; the first and the last address. */
function rangeTexts(range: ValueRange, names: PodNames): readonly string[] {
  const { first, last } = range;
  const inside = names.filter(({ address }) => first <= address && address <= last);
  if (BigInt(inside.length) === BigInt(last) - BigInt(first) + 1n) return inside.map(({ pod }) => pod);
  const family = typeof first === 'bigint' ? 'ipv6' : 'ipv4';
  const [prefix, ...more] = prefixesOf(range, family);
  if (prefix !== undefined && more.length === 0) return [networkText(prefix, family)];
  return [[first, last].map((address) => addressText(address)).join('-')];
}

/** `5432/tcp`, `any port`, `other tcp ports`. */
function portsText(all: readonly Connections[]): string {
  const isWhole = ({ ports }: Connections) => ports !== undefined && setKey(ports) === setKey(everyPort);
  const whole = all.filter(isWhole);
  const isEverything = new Set(whole.map(({ protocol }) => protocol)).size === protocolWords.size;
  if (isEverything) return 'any port';
  const texts = all.map((one) => {
    const word = protocolWords.get(one.protocol);
    if (word === undefined || one.ports === undefined) return 'ping';
    if (isWhole(one)) return `any ${word} port`;
    if (one.ports.length > mostPorts || isBroad(one.ports)) return `other ${word} ports`;
    return one.ports.map(({ first, last }) => `${first === last ? first : `${first}-${last}`}/${word}`).join(', ');
  });
  return [...new Set(texts)].join(', ');
}

function addressText(value: Value): string {
  return formatIp(typeof value === 'bigint' ? { family: 'ipv6', value } : { family: 'ipv4', value });
}

function isBroad(ports: ValueSet): boolean {
  return ports.reduce((sum, { first, last }) => sum + Number(last) - Number(first) + 1, 0) > 32_768;
}

const protocolWords: ReadonlyMap<number, string> = new Map([
  [6, 'tcp'],
  [17, 'udp'],
  [132, 'sctp'],
]);

/** More than half of all addresses. */
function areMost(peers: ValueSet): boolean {
  const half = 1n << (typeof peers[0]?.first === 'bigint' ? 127n : 31n);
  return peers.reduce((sum, { first, last }) => sum + BigInt(last) - BigInt(first) + 1n, 0n) > half;
}
