import type { Family } from '../common/family.ts';
import { chainPrefixes } from '../netfilter/proxyChains.ts';
import { numberAt } from '../node/chainLines.ts';
import { firstNamed } from '../node/chainsInOrder.ts';
import type { NodeRules, RuleTable, ToolRules } from '../node/nodeRules.ts';
import { byteChains } from './byteChains.ts';
import { chainsOnDemand } from './chainsOnDemand.ts';
import { type ChainTable, rowLength } from './chainTable.ts';
import { type ExcerptLimits, longDumps } from './excerptLimits.ts';
import { excerptOf, type LeftOutChains, leftOutIn } from './excerptOf.ts';
import { keepShown } from './keepShown.ts';
import { markChain, natChains, natMarks, natRow } from './natChains.ts';
import { type DumpBytes, readExcerpt } from './readExcerpt.ts';

/**
 * A long dump of iptables-save whose chains of Services stay bytes until somebody asks for one. Undefined: it has to be
 * read in the usual way, since it is short, or its text may not be what it seems.
 */
export async function readLongDump(
  dump: DumpBytes,
  family: Family | undefined,
  limits: ExcerptLimits = longDumps,
): Promise<NodeRules | undefined> {
  const text = await dump.bytes;
  if (text.length < limits.leastBytes) return undefined;
  const chains = natChains(text, (names) => names.count() - unhashed(text, names).length > limits.leastChains);
  if (chains === undefined) return undefined;
  const { rows } = chains.names;
  for (const chain of unhashed(text, chains.names)) markChain(chains.names, chain, natMarks.odd);
  const isLeftOut = (chain: number) => rows[rowLength * chain + natRow.marks] === plain;
  const leftOut = { chains, isLeftOut };
  if (!keepShown(text, chains.parts, leftOut, limits) || leftOutIn(leftOut) <= limits.leastChains) return undefined;
  const read = readExcerpt(dump, excerptOf(text, chains.parts, leftOut), family);
  if (read?.iptables.some(({ tables }) => !isInOrder(tables.get('nat'))) !== false) return undefined;
  return { ...read, iptables: read.iptables.map((rules) => withChains(rules, dump.name, text, leftOut)) };
}

const plain = natMarks.declared | natMarks.rules;

/** Chains without a hash in their names: somebody else's, maybe. */
function unhashed(text: Uint8Array, names: ChainTable): readonly number[] {
  const found: number[] = [];
  for (let chain = 0; chain < names.count(); chain += 1) {
    if (!isHashed(text, names.rows[rowLength * chain] as number, names.lengthOf(chain))) found.push(chain);
  }
  return found;
}

/** The name ends with a dash and the sixteen characters of a hash; nobody else gives such names. */
function isHashed(text: Uint8Array, name: number, length: number): boolean {
  const start = name + length - hashLength;
  if (length > longestName || text[start - 1] !== dash) return false;
  for (let at = start; at < name + length; at += 1) if (ofHashes[text[at] as number] !== 1) return false;
  return true;
}

const hashLength = 16;
const longestName = hashLength + Math.max(...Object.values(chainPrefixes).map(({ length }) => length));
const dash = 0x2d;
const ofHashes = Uint8Array.from({ length: 256 }, (_, code) => (/[A-Z2-7]/.test(String.fromCharCode(code)) ? 1 : 0));

/** The lines that declare chains tell where these stand among others: none is declared behind its rules. */
function isInOrder(nat: RuleTable | undefined): boolean {
  let before = 0;
  for (const chain of nat?.chains.values() ?? []) {
    const named = firstNamed(chain);
    const first = numberAt(chain, 0);
    if (named < before || (first > 0 && first < named)) return false;
    before = named;
  }
  return true;
}

/** The text has the table nat once. */
function withChains(rules: ToolRules, file: string, text: Uint8Array, leftOut: LeftOutChains): ToolRules {
  const nat = rules.tables.get('nat');
  if (nat === undefined) return rules;
  const whole = { ...nat, chains: chainsOnDemand(byteChains(text, leftOut, file, nat.chains)) };
  return {
    ...rules,
    tables: new Map([...rules.tables].map(([name, table]) => [name, name === 'nat' ? whole : table])),
  };
}
