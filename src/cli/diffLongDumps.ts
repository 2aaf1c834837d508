import { statSync } from 'node:fs';
import type { Family } from '../common/family.ts';
import type { CompareLevel } from '../compare/diffChain.ts';
import { type DiffReport, type DumpDiffOptions, diffDumps } from '../core.ts';
import type { DumpBytes } from '../dump/readLikeDumps.ts';
import { readBytes } from '../load/readBytes.ts';
import { nodeName } from './nodeName.ts';

/**
 * Compares two long dumps of iptables-save that have nearly everything in common: what both have in the same words is
 * compared as bytes, and not read. Undefined: the files are none such, and are to be read one by one.
 */
export async function diffLongDumps(
  paths: readonly string[],
  family: Family | 'both' | undefined,
  options: DumpDiffOptions & { readonly level: CompareLevel },
): Promise<DiffReport | undefined> {
  if (paths.length !== 2 || !paths.every(isLong)) return undefined;
  const [one, other] = paths.map((path) => dumpBytes(path, paths));
  if (one === undefined || other === undefined) return undefined;
  const { readLikeDumps } = await import('../dump/readLikeDumps.ts');
  const read = readLikeDumps(one, other, family === 'both' ? undefined : family);
  if (read === undefined) return undefined;
  const { hasRenamedChains } = await import('../diff/hasRenamedChains.ts');
  return hasRenamedChains(...read, options.level) ? undefined : diffDumps(...read, options);
}

/** Shorter ones are read sooner than compared. */
const shortest = 8 << 20;

function isLong(path: string): boolean {
  if (path === '-') return false;
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size >= shortest;
}

function dumpBytes(path: string, paths: readonly string[]): DumpBytes | undefined {
  const read = readBytes(path);
  return read.kind === 'bytes' ? { name: path, bytes: read.bytes, node: nodeName(path, paths) } : undefined;
}
