import type { Family } from '../../../common/addresses/family.ts';
import type { Rule, Target, Word } from '../ast.ts';
import { canonicalAddress, canonicalNatAddress } from '../values/addresses.ts';
import { canonicalProbability } from '../values/probability.ts';

/**
 * The canonical rule of a line that has the shape of nearly all that kube-proxy writes, as iptables-save prints it: such
 * lines print back as they are. Undefined: the line has another shape or spelling, and must be parsed.
 */
export function readSavedRule(text: string, family: Family, line: number | undefined): Rule | undefined {
  const parts = savedRuleParts(text);
  if (parts === undefined) return undefined;
  const { chain, isNegated, source, destination, protocol, comment, transport, port, probability, jump, to } = parts;
  const words: Word[] = [];
  if (source !== undefined) {
    if (!isPrintedSo(source, family)) return undefined;
    words.push(isNegated ? { kind: 'source', negated: true, address: source } : { kind: 'source', address: source });
  }
  if (destination !== undefined) {
    if (!isPrintedSo(destination, family)) return undefined;
    words.push({ kind: 'destination', address: destination });
  }
  if (protocol !== undefined) words.push(protocols[protocol as Transport].header);
  if (comment !== undefined) words.push({ kind: 'comment', text: comment });
  if (transport !== undefined) words.push(transportWord(transport as Transport, port));
  if (probability !== undefined) {
    if (canonicalProbability(probability) !== probability) return undefined;
    words.push({ kind: 'statistic', mode: 'random', probability });
  }
  if (to !== undefined && canonicalNatAddress(to, family) !== to) return undefined;
  const target: Target = to === undefined ? { kind: 'jump', chain: jump as string } : { kind: 'dnat', to };
  return line === undefined ? { chain, words, target } : { chain, words, target, line };
}

/** What a line of that shape says, each part as it is written. */
export interface SavedRuleParts {
  readonly chain: string;
  readonly isNegated: boolean;
  readonly source: string | undefined;
  readonly destination: string | undefined;
  readonly protocol: string | undefined;
  readonly comment: string | undefined;
  readonly transport: string | undefined;
  readonly port: string | undefined;
  readonly probability: string | undefined;
  /** One of these two. */
  readonly jump: string | undefined;
  readonly to: string | undefined;
}

/** The parts of such a line; undefined: it has another shape. */
export function savedRuleParts(text: string): SavedRuleParts | undefined {
  const parts = shape.exec(text);
  if (parts === null) return undefined;
  return {
    chain: parts[1] as string,
    isNegated: parts[2] !== undefined,
    source: parts[3],
    destination: parts[4],
    protocol: parts[5],
    comment: parts[6] ?? parts[7],
    transport: parts[8],
    port: parts[9],
    probability: parts[10],
    jump: parts[11],
    to: parts[12],
  };
}

type Transport = 'tcp' | 'udp' | 'sctp';

/** A comment stands in quotes where it holds anything but letters, digits, `_` and `-`. */
const shape = new RegExp(
  [
    /^-A ([A-Z][\w-]*)/,
    /(?:( !)? -s ([\da-f.:/]+))?/,
    /(?: -d ([\da-f.:/]+))?/,
    /(?: -p (tcp|udp|sctp))?/,
    /(?: -m comment --comment (?:"([\w-]*[^\w"'\\\0-\x1f-][^"'\\\0-\x1f]*)"|([\w-]+)))?/,
    /(?: -m (tcp|udp|sctp)(?: --dport ([1-9]\d*))?)?/,
    /(?: -m statistic --mode random --probability ([01]\.\d{11}))?/,
    / -j (?:(KUBE-[\w-]+)|DNAT --to-destination ([\da-f.:[\]]+))$/,
  ]
    .map(({ source }) => source)
    .join(''),
);

const protocols: Readonly<Record<Transport, { readonly header: Word; readonly bare: Word }>> = {
  tcp: protocol('tcp'),
  udp: protocol('udp'),
  sctp: protocol('sctp'),
};

/** Shared by all rules of a text. */
function protocol(name: Transport): { readonly header: Word; readonly bare: Word } {
  return { header: { kind: 'protocol', protocol: name }, bare: { kind: 'transport', protocol: name } };
}

function transportWord(name: Transport, destinationPort: string | undefined): Word {
  return destinationPort === undefined ? protocols[name].bare : { kind: 'transport', protocol: name, destinationPort };
}

/** Everything is no condition, and left out. */
function isPrintedSo(address: string, family: Family): boolean {
  return canonicalAddress(address, family) === address && !address.endsWith('/0');
}
