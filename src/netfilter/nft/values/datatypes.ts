import { stateBits, statusBits } from '../meaning/connectionBits.ts';
import type { AddressBytes } from './address.ts';
import { icmpTypes, icmpv6Types } from './icmpNames.ts';
import { formatAddressInterval, type Interval, parseAddressInterval } from './interval.ts';
import { routeTypeNumbers } from './routeTypeNumbers.ts';

/** One nft data type: how values are read, printed and ordered. */
export interface Datatype {
  /** Elements a line in a listed set. */
  readonly perLine: number;
  /** Bytes of a value, most significant first. */
  readonly interval: (text: string) => Interval | undefined;
  readonly format: (interval: Interval) => string;
  /** The kernel keeps it in host order, so a concatenation holds its bytes the other way round. */
  readonly isHostOrder: boolean;
  /** Bytes in a concatenation, without padding. */
  readonly width: number;
  readonly isQuoted?: true;
}

export function datatypeOf(name: string): Datatype | undefined {
  return Object.hasOwn(datatypes, name) ? datatypes[name] : undefined;
}

const protocols = new Map(
  Object.entries({
    ip: 0,
    icmp: 1,
    igmp: 2,
    tcp: 6,
    udp: 17,
    dccp: 33,
    'ipv6-icmp': 58,
    gre: 47,
    esp: 50,
    ah: 51,
    comp: 108,
    sctp: 132,
    udplite: 136,
  }),
);

const directions = new Map([
  ['original', 0],
  ['reply', 1],
]);

const packetTypes = new Map([
  ['host', 0],
  ['broadcast', 1],
  ['multicast', 2],
  ['other', 3],
]);

const dscps = new Map(
  Object.entries({
    ...Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7].map((number) => [`cs${number}`, number << 3])),
    ...Object.fromEntries(
      [1, 2, 3, 4].flatMap((level) => [1, 2, 3].map((drop) => [`af${level}${drop}`, (level << 3) | (drop << 1)])),
    ),
    va: 0x2c,
    ef: 0x2e,
  }),
);

const address = {
  interval: parseAddressInterval,
  format: formatAddressInterval,
  isHostOrder: false,
};

const datatypes: Readonly<Record<string, Datatype>> = {
  ipv4_addr: { ...address, perLine: 2, width: 4 },
  ipv6_addr: { ...address, perLine: 1, width: 16 },
  inet_service: numeric({ perLine: 5, width: 2 }),
  inet_proto: numeric({ perLine: 5, width: 1, names: protocols }),
  mark: numeric({ perLine: 5, width: 4, isHostOrder: true, spell: (value) => hexadecimal(value) }),
  integer: numeric({ perLine: 5, width: 4, isHostOrder: true }),
  ct_state: numeric({ perLine: 5, width: 4, isHostOrder: true, names: stateBits }),
  ct_status: numeric({ perLine: 5, width: 4, isHostOrder: true, names: statusBits }),
  ct_dir: numeric({ perLine: 5, width: 1, names: directions }),
  pkt_type: numeric({ perLine: 5, width: 1, names: packetTypes }),
  dscp: numeric({ perLine: 5, width: 1, names: dscps, spell: (value) => `0x${value.toString(16).padStart(2, '0')}` }),
  fib_addrtype: numeric({
    perLine: 5,
    width: 4,
    isHostOrder: true,
    names: new Map([['unspec', 0], ...routeTypeNumbers]),
  }),
  icmp_type: numeric({ perLine: 5, width: 1, names: icmpTypes }),
  icmpv6_type: numeric({ perLine: 5, width: 1, names: icmpv6Types }),
  ifname: {
    perLine: 1,
    isHostOrder: true,
    width: 16,
    isQuoted: true,
    interval: (text) => ({ first: reversed(text), last: reversed(text) }),
    format: ({ first }) => reversed(first),
  },
};

function hexadecimal(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`;
}

interface NumericType {
  readonly perLine: number;
  readonly width: number;
  readonly isHostOrder?: boolean;
  readonly names?: ReadonlyMap<string, number>;
  readonly spell?: (value: number) => string;
}

function numeric({ perLine, width, isHostOrder = false, names, spell }: NumericType): Datatype {
  // The first of two names of one number is printed.
  const nameOf = new Map([...(names ?? [])].reverse().map(([name, number]) => [number, name] as const));
  const print = (value: number) => nameOf.get(value) ?? spell?.(value) ?? String(value);
  const read = (text: string) => {
    const value = names?.get(text) ?? (/^(?:\d+|0x[0-9a-fA-F]+)$/.test(text) ? Number(text) : undefined);
    return value === undefined || value >= 2 ** (width * 8) ? undefined : bytesOf(value, width);
  };
  return {
    perLine,
    width,
    isHostOrder,
    interval: (text) => {
      const dash = text.indexOf('-');
      const first = read(dash > 0 ? text.slice(0, dash) : text) ?? read(text);
      const last = dash > 0 ? read(text.slice(dash + 1)) : first;
      return first === undefined || last === undefined || first > last ? undefined : { first, last };
    },
    format: ({ first, last }) =>
      first === last ? print(numberOf(first)) : `${print(numberOf(first))}-${print(numberOf(last))}`,
  };
}

function bytesOf(value: number, width: number): AddressBytes {
  let bytes = '';
  for (let shift = width - 1; shift >= 0; shift -= 1) {
    bytes += String.fromCharCode((value >>> (shift * 8)) & 0xff);
  }
  return bytes;
}

function numberOf(bytes: string): number {
  let value = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    value = value * 256 + bytes.charCodeAt(i);
  }
  return value;
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}
