import type { Family } from '../../../common/addresses/family.ts';
import type { Rule, Target, Word } from '../ast.ts';
import { canonicalAddress, canonicalNatAddress } from '../values/addresses.ts';
import { canonicalProbability } from '../values/probability.ts';

/**
 * The canonical rule of a line that has the shape of nearly all that kube-proxy writes, as iptables-save prints it: such
 * lines print back as they are. Undefined: the line has another shape or spelling, and must be parsed.
 */
export function readSavedRule(text: string, family: Family, line: number | undefined): Rule | undefined {
  const parts = shape.exec(text);
  if (parts === null) return undefined;
  const words: Word[] = [];
  const source = parts[3];
  if (source !== undefined) {
    if (!isPrintedSo(source, family)) return undefined;
    const negated = parts[2] !== undefined;
    words.push(negated ? { kind: 'source', negated, address: source } : { kind: 'source', address: source });
  }
  const destination = parts[4];
  if (destination !== undefined) {
    if (!isPrintedSo(destination, family)) return undefined;
    words.push({ kind: 'destination', address: destination });
  }
  if (parts[5] !== undefined) words.push(protocols[parts[5] as Transport].header);
  const comment = parts[6] ?? parts[7];
  if (comment !== undefined) words.push({ kind: 'comment', text: comment });
  if (parts[8] !== undefined) words.push(transportWord(parts[8] as Transport, parts[9]));
  const probability = parts[10];
  if (probability !== undefined) {
    if (canonicalProbability(probability) !== probability) return undefined;
    words.push({ kind: 'statistic', mode: 'random', probability });
  }
  const to = parts[12];
  if (to !== undefined && canonicalNatAddress(to, family) !== to) return undefined;
  const chain = parts[1] as string;
  const target: Target = to === undefined ? { kind: 'jump', chain: parts[11] as string } : { kind: 'dnat', to };
  return line === undefined ? { chain, words, target } : { chain, words, target, line };
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
