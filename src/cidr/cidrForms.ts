import { formatAddressNumber } from '../common/addresses/addressNumber.ts';
import { jsonString } from '../common/text/jsonString.ts';
import type { Overlap } from './compareNetworks.ts';
import type { Membership } from './membership.ts';
import type { Network } from './parseNetwork.ts';

/** What is printed about networks. */
export interface CidrAnswer {
  readonly networks: readonly Network[];
  readonly overlaps: readonly Overlap[];
  readonly memberships: readonly Membership[];
}

/** For people: a line a network, with its ends in bits where `isBinary`, then overlaps and memberships. */
export function cidrText({ networks, overlaps, memberships }: CidrAnswer, isBinary = false): string {
  const lines = networks.flatMap((network) => [networkLine(network), ...(isBinary ? binaryLines(network) : [])]);
  for (const { kind, a, b } of overlaps) {
    lines.push(kind === 'same' ? `${a.given} and ${b.given} are the same` : `${a.given} ${kind} ${b.given}`);
  }
  for (const { asked, networks: around } of memberships) {
    const names = around.map(({ given }) => given);
    lines.push(names.length === 0 ? `${asked.given} is in none of them` : `${asked.given} is in ${names.join(', ')}`);
  }
  return `${lines.join('\n')}\n`;
}

function networkLine(network: Network): string {
  const { given, prefixes, insideAddress } = network;
  const { first, last, count } = endsOf(network);
  const size = `${first} - ${last}, ${count} ${count === '1' ? 'address' : 'addresses'}`;
  const inside = insideAddress === undefined ? '' : `; ${insideAddress} is an address inside it`;
  return given === prefixes[0] ? `${given}: ${size}` : `${given} = ${prefixes.join(' ')}: ${size}${inside}`;
}

/** Its first and last address, bit by bit: left of the bar are the bits that all addresses have in common. */
function binaryLines({ family, range }: Network): readonly string[] {
  const [bits, group] = family === 'ipv4' ? [32, 8] : [128, 16];
  const texts = [range.first, range.last].map((address) => address.toString(2).padStart(bits, '0'));
  const [first = '', last = ''] = texts;
  const differs = [...first].findIndex((bit, at) => bit !== last[at]);
  const common = differs === -1 ? bits : differs;
  return texts.map((text) => {
    const parts = [...text].map((bit, at) => {
      const bar = at === common ? '|' : '';
      return `${at > 0 && at % group === 0 ? (family === 'ipv4' ? '.' : ':') : ''}${bar}${bit}`;
    });
    return `  ${parts.join('')}`;
  });
}

function endsOf({ family, range }: Network): { readonly first: string; readonly last: string; readonly count: string } {
  return {
    first: formatAddressNumber(range.first, family),
    last: formatAddressNumber(range.last, family),
    count: String(range.last - range.first + 1n),
  };
}

/** For programs. Counts are text: those of IPv6 are larger than a double holds. */
export function cidrJson({ networks, overlaps, memberships }: CidrAnswer): string {
  const value = {
    schema: 'k8snet.cidr/v1',
    networks: networks.map((network) => {
      const { first, last, count } = endsOf(network);
      const { given, family, prefixes, insideAddress } = network;
      return { given, family, prefixes, first, last, addresses: count, insideAddress: insideAddress ?? null };
    }),
    overlaps: overlaps.map(({ kind, a, b }) => ({ kind, a: a.given, b: b.given })),
    memberships: memberships.map(({ asked, networks: around }) => ({
      address: asked.given,
      networks: around.map(({ given }) => given),
    })),
  };
  return jsonString(value);
}
