import { canonicalIp, familyOf } from '../../common/addresses/ip.ts';
import type { ConntrackFlow, FlowSide } from './flow.ts';

/** A connection, or what keeps a line from being one and the word that is to blame. */
export type ReadFlow =
  | { readonly kind: 'flow'; readonly flow: ConntrackFlow }
  | { readonly kind: 'problem'; readonly word: string; readonly message: string };

/**
 * Reads one line of `conntrack -L`, with or without `-o extended`, or of /proc/net/nf_conntrack:
 * `ipv4 2 udp 17 29 src=… dst=… sport=… dport=… [UNREPLIED] src=… dst=… sport=… dport=… mark=0 use=1`. Family, timeout
 * and state may be missing; what stands behind both directions (marks, zones, times) may be anything.
 */
export function parseFlow(text: string, line: number): ReadFlow {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const protocol = protocolOf(words);
  if (protocol === undefined) return problem(words[0] ?? '', 'not a connection');
  const sides: Fields[] = [];
  let state: string | undefined;
  const flags = new Set<string>();
  let isInZone = false;
  for (const word of words) {
    if (word.startsWith('[')) {
      flags.add(word);
      continue;
    }
    const equals = word.indexOf('=');
    if (equals === -1) {
      if (sides.length === 0 && /^[A-Z][A-Z0-9_]+$/.test(word)) state = word;
      continue;
    }
    const key = word.slice(0, equals);
    const value = word.slice(equals + 1);
    if (key === 'src') {
      if (sides.length === 2) return problem(word, 'a connection has two directions');
      sides.push(new Map());
    }
    const side = sides.at(-1);
    // `id=` of an ICMP echo is one of its direction, that of `-o id` comes last; the first is kept.
    if (side !== undefined && !side.has(key)) side.set(key, value);
    if (/^zone(?:-orig|-reply)?$/.test(key) && value !== '0') isInZone = true;
  }
  const [original, reply] = sides;
  if (original === undefined || reply === undefined) return problem(words[0] ?? '', 'not both directions are shown');
  const read = [sideOf(original, protocol), sideOf(reply, protocol)] as const;
  for (const side of read) if ('kind' in side) return side;
  const [one, other] = read as readonly [FlowSide, FlowSide];
  const family = familyOf(one.source);
  const ips = [one.destination, other.source, other.destination];
  if (family === undefined || ips.some((ip) => familyOf(ip) !== family)) {
    return problem(`dst=${one.destination}`, 'addresses of both families');
  }
  return {
    kind: 'flow',
    flow: {
      kind: 'flow',
      family,
      protocol,
      original: one,
      reply: other,
      ...(state !== undefined && { state }),
      isUnreplied: flags.has('[UNREPLIED]'),
      isInZone,
      line,
    },
  };
}

type Fields = Map<string, string>;
type Problem = Extract<ReadFlow, { kind: 'problem' }>;

function problem(word: string, message: string): Problem {
  return { kind: 'problem', word, message };
}

/** `udp 17`, behind `ipv4 2` where the family is shown. */
function protocolOf(words: readonly string[]): number | undefined {
  const at = /^ipv[46]$/.test(words[0] ?? '') && /^\d+$/.test(words[1] ?? '') ? 2 : 0;
  const number = words[at + 1] ?? '';
  if (!/^[a-z][\w-]*$/.test(words[at] ?? '') || !/^\d{1,3}$/.test(number) || Number(number) > 255) return undefined;
  return Number(number);
}

function sideOf(fields: Fields, protocol: number): FlowSide | Problem {
  const source = canonicalIp(fields.get('src') ?? '');
  const destination = canonicalIp(fields.get('dst') ?? '');
  if (source === undefined) return problem(`src=${fields.get('src') ?? ''}`, 'not an address');
  if (destination === undefined) return problem(`dst=${fields.get('dst') ?? ''}`, 'not an address');
  const sourcePort = portOf(fields.get('sport'));
  const destinationPort = portOf(fields.get('dport'));
  if (sourcePort === undefined) return problem(`sport=${fields.get('sport') ?? ''}`, 'not a port');
  if (destinationPort === undefined) return problem(`dport=${fields.get('dport') ?? ''}`, 'not a port');
  const hasPorts = fields.has('sport') && fields.has('dport');
  if (!hasPorts && withPorts.has(protocol)) return problem(`dst=${destination}`, 'no ports');
  return { source, destination, sourcePort, destinationPort };
}

/** TCP, UDP, DCCP, SCTP, UDP-Lite. */
const withPorts: ReadonlySet<number> = new Set([6, 17, 33, 132, 136]);

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return 0;
  return /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined;
}
