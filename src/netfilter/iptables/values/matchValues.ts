import { hexNumber, masked, named, range } from '../options/optionValues.ts';

// What iptables-save makes of values that only one match has: named classes, chunk types, expressions, times.
const classes = {
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`cs${at}`, `0x${(at * 8).toString(16).padStart(2, '0')}`]),
  ),
  be: '0x00',
  ef: '0x2e',
  ...Object.fromEntries(
    [1, 2, 3, 4].flatMap((row) =>
      [1, 2, 3].map((column) => [`af${row}${column}`, `0x${(row * 8 + column * 2).toString(16).padStart(2, '0')}`]),
    ),
  ),
};

/** What `--dscp-class` and `--set-dscp-class` stand for. */
export const dscpClass: (name: string) => string = named(classes);

/** What `--tos` takes by name; a name stands for the bits below 0x3f alone. */
export const tosValue: (name: string) => string = (given) =>
  masked(
    0xff,
    false,
    2,
  )(
    named({
      'minimize-delay': '0x10/0x3f',
      'maximize-throughput': '0x08/0x3f',
      'maximize-reliability': '0x04/0x3f',
      'minimize-cost': '0x02/0x3f',
      'normal-service': '0x00/0x3f',
    })(given),
  );

const chunkNames = [
  'DATA',
  'INIT',
  'INIT_ACK',
  'SACK',
  'HEARTBEAT',
  'HEARTBEAT_ACK',
  'ABORT',
  'SHUTDOWN',
  'SHUTDOWN_ACK',
  'ERROR',
  'COOKIE_ECHO',
  'COOKIE_ACK',
  'ECN_ECNE',
  'ECN_CWR',
  'SHUTDOWN_COMPLETE',
  'ASCONF',
  'ASCONF_ACK',
  'FORWARD_TSN',
];

/** By number of the chunk type; flags behind a colon stay with their type. */
export function chunkTypes([scope = '', types = '']: readonly string[]): readonly string[] {
  const place = (type: string): number => {
    const at = chunkNames.indexOf(type.split(':')[0] ?? '');
    return at === -1 ? chunkNames.length : at;
  };
  const sorted = types.split(',').sort((one, other) => place(one) - place(other));
  return [scope, sorted.join(',')];
}

/** User names live on the node; only root's number is the same everywhere. */
export function user(name: string): string {
  return name === 'root' ? '0' : range('-')(name);
}

/** A range of lengths with an open end, closed. */
export function openRange(lengths: string): string {
  const closed = lengths.startsWith(':') ? `0${lengths}` : lengths.endsWith(':') ? `${lengths}65535` : lengths;
  return range(':')(closed);
}

/** A `--hex-string`: hexadecimal as a whole. */
export function hexString(pattern: string): string {
  let hex = '';
  let isHex = false;
  for (const character of pattern) {
    if (character === '|') {
      isHex = !isHex;
    } else if (!isHex) {
      for (const byte of new TextEncoder().encode(character)) hex += byte.toString(16).padStart(2, '0');
    } else if (character !== ' ') {
      hex += character.toLowerCase();
    }
  }
  return `|${hex}|`;
}

/** Every number of the expression in hexadecimal, no spaces. */
export function u32Expression(expression: string): string {
  return expression
    .replaceAll(' ', '')
    .replace(/0[xX][0-9a-fA-F]+|\d+/g, hexNumber(1))
    .replace(/(?<=[=,])(0x[0-9a-f]+):\1(?![0-9a-f])/g, '$1');
}

/** Hours and minutes with two digits, seconds spelt out. */
export function timeOfDay(time: string): string {
  const parts = time.split(':');
  return [...parts, ...Array.from({ length: Math.max(0, 3 - parts.length) }, () => '00')]
    .map((part) => part.padStart(2, '0'))
    .join(':');
}

const headerName = named({
  hop: 'hop-by-hop',
  dst: 'ipv6-opts',
  route: 'ipv6-route',
  frag: 'ipv6-frag',
  auth: 'ah',
  none: 'ipv6-nonxt',
  prot: 'protocol',
});

/** Names of IPv6 extension headers, as iptables-save writes them. */
export function headerNames(names: string): string {
  return names.split(',').map(headerName).join(',');
}
