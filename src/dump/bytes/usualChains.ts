import { plainIpv4Number } from '../../common/addresses/ip.ts';
import { decodeLatin1 } from '../../common/text/textBytes.ts';
import { usualEndpoint } from '../../node/chains/usualEndpoint.ts';
import { usualLadder } from '../../node/chains/usualLadder.ts';
import { type ChainTable, chainTable, rowLength } from './chains/chainTable.ts';
import { isPlainChain, kindWord, natRow } from './chains/natChains.ts';
import type { LongDumpIndex } from './indexLongDump.ts';
import { viewOf } from './viewOf.ts';

/** The index with what is told about chains, which may be done by another thread. */
export function withUsualChains(index: LongDumpIndex): LongDumpIndex {
  const { text, names } = index;
  return { ...index, usual: usualChains(text, chainTable(text, names), (chain) => isPlainChain(names, chain)) };
}

/**
 * For each of the wanted chains, 1 if it looks as kube-proxy writes it: the chain of an endpoint, or one that shares
 * packets evenly among endpoints with such chains, no two of which have the same address.
 */
export function usualChains(text: Uint8Array, names: ChainTable, isWanted: (chain: number) => boolean): Uint8Array {
  const count = names.count();
  const usual = new Uint8Array(count);
  const addresses = new Float64Array(count);
  const others: number[] = [];
  for (let chain = 0; chain < count; chain += 1) {
    if (!isWanted(chain)) continue;
    if (names.rows[rowLength * chain + natRow.kind] !== endpoint) {
      others.push(chain);
      continue;
    }
    const address = usualEndpoint(rulesOf(text, names, chain));
    if (address === undefined) continue;
    addresses[chain] = numberOf(address);
    usual[chain] = 1;
  }
  const find = finder(names);
  for (const chain of others) {
    const targets = usualLadder(rulesOf(text, names, chain));
    if (targets === undefined) continue;
    const met = new Set<number>();
    for (const target of targets) {
      const number = find(target);
      if (number !== -1 && usual[number] === 1) met.add(addresses[number] as number);
    }
    // A target that is missing or unusual makes it smaller too.
    if (met.size === targets.length) usual[chain] = 1;
  }
  return usual;
}

const endpoint = kindWord('endpoint');

/** Empty if they contain what a check looks for in chains of any kind. */
function rulesOf(text: Uint8Array, { rows }: ChainTable, chain: number): string {
  const start = rows[rowLength * chain + natRow.start] as number;
  const rules = decodeLatin1(text, start, start + (rows[rowLength * chain + natRow.bytes] as number) - 1);
  return rules.includes(' 0.0.0.0/') || rules.includes('endpoints"') ? '' : rules;
}

/** `ip:port` over IPv4 as a number of its own. */
function numberOf(address: string): number {
  const colon = address.indexOf(':');
  return plainIpv4Number(address.slice(0, colon)) * 2 ** 16 + Number(address.slice(colon + 1));
}

/** Chains by names of ASCII letters. */
function finder(names: ChainTable): (name: string) => number {
  const bytes = new Uint8Array(longestName);
  const view = viewOf(bytes);
  return (name) => {
    for (let at = 0; at < name.length; at += 1) bytes[at] = name.charCodeAt(at);
    return names.find(view, 0, name.length);
  };
}

/** Names with a whole hash are shorter. */
const longestName = 32;
