import type { Family } from '../common/family.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { dumpKind } from './dumpKind.ts';
import { isPlainSave } from './isPlainSave.ts';
import { readDumps } from './readDumps.ts';
import { unwrapText } from './unwrapText.ts';
import { type ExcerptLimits, withoutEqualChains } from './withoutEqualChains.ts';

/** A dump of one file, as bytes. */
export interface DumpBytes {
  readonly name: string;
  readonly bytes: Uint8Array | Promise<Uint8Array>;
  /** What the node is called in reports. */
  readonly node: string;
}

/**
 * Two long dumps of iptables-save that are to be compared with each other, without the chains of Services that both have
 * in the very same words: no strings are made of nearly all that a large node holds. Undefined: the dumps have to be read
 * one by one, as nothing shows yet that these chains do not matter to the rest.
 */
export async function readLikeDumps(
  one: DumpBytes,
  other: DumpBytes,
  family: Family | undefined,
  limits: ExcerptLimits = longDumps,
): Promise<readonly [NodeRules, NodeRules] | undefined> {
  const excerpts = await withoutEqualChains(await one.bytes, other.bytes, limits);
  if (excerpts === undefined) return undefined;
  const before = readExcerpt(one, excerpts[0], family);
  const after = before && readExcerpt(other, excerpts[1], family);
  if (before === undefined || after === undefined || !areCompared(before, after)) return undefined;
  return [before, after];
}

/** Texts of at least this size are not parsed to name lines that no tool can read, and tables of so many chains not looked through. */
const longDumps: ExcerptLimits = { leastBytes: 8 << 20, leastChains: 20_000, headBytes: 1 << 16 };

function readExcerpt({ name, node }: DumpBytes, bytes: Uint8Array, family: Family | undefined): NodeRules | undefined {
  const text = new TextDecoder('latin1').decode(bytes);
  const isSave = dumpKind(text) === 'iptables' && isPlainSave(text) && isAscii.test(text) && unwrapText(text) === text;
  if (!isSave) return undefined;
  return readDumps([{ name, text, kind: 'iptables', isExcerpt: true }], { name: node, family });
}

const isAscii = /^[\0-\x7f]*$/;

/** What each table nat is compared with is the other one. */
function areCompared(before: NodeRules, after: NodeRules): boolean {
  const [one, other] = [before, after].map(({ iptables }) => {
    const families = new Set(iptables.map(({ family }) => family));
    const nat = iptables.find(({ tables }) => tables.has('nat'));
    return families.size === iptables.length ? nat?.family : undefined;
  });
  return one !== undefined && one === other;
}
