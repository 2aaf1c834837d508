import { memoized } from '../../common/memoized.ts';
import type { RuleChain } from '../ruleChain.ts';

const split = memoized(readLines);

/** The lines of a chain, in their order. Splitting a short chain is faster than looking up what was remembered. */
export function linesOf(chain: RuleChain | undefined): readonly string[] {
  if (chain === undefined) return [];
  return chain.text.length < shortText ? readLines(chain) : split(chain);
}

const shortText = 5000;

/** The same for a caller that reads them once: nothing is remembered. */
export function readLines({ text }: RuleChain): readonly string[] {
  return text === '' ? [] : text.split('\n');
}

/** The line of each in its file; empty for compiled rules. */
export function numbersOf(chain: RuleChain): readonly number[] {
  if (chain.lineNumbers !== undefined) return chain.lineNumbers;
  return chain.firstLine === 0 ? [] : linesOf(chain).map((_, at) => chain.firstLine + at);
}

/** The line number of one in its file; 0: it is in no file. */
export function numberAt(chain: RuleChain, at: number): number {
  if (chain.lineNumbers !== undefined) return chain.lineNumbers[at] ?? 0;
  return chain.firstLine === 0 ? 0 : chain.firstLine + at;
}

/** How many lines a chain has; this does not split it. */
export function lineCount({ text }: RuleChain): number {
  if (text === '') return 0;
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

export function hasLines(chain: RuleChain | undefined): boolean {
  return chain !== undefined && chain.text !== '';
}

/** Where a line of a dump stands. */
export interface DumpPlace {
  readonly file: string;
  readonly line: number;
}

/** Where a line of a chain stands in its dump. */
export function placeOf(chain: RuleChain, at: number): DumpPlace {
  return { file: chain.files?.[at] ?? chain.file, line: numberAt(chain, at) };
}

/** Where the declaration of a chain is, or its first rule. */
export function chainPlace(chain: RuleChain): DumpPlace[] {
  if (chain.file === '') return [];
  return [{ file: chain.file, line: chain.declaredAt || numberAt(chain, 0) }];
}

/** Half a million chains of a node may be unexpected: most have a few lines, and share one list of their places. */
export function placesOf(chain: RuleChain): readonly number[] {
  const count = lineCount(chain);
  return fewPlaces[count] ?? Array.from({ length: count }, (_, at) => at);
}

const fewPlaces: readonly (readonly number[])[] = [[], [0], [0, 1], [0, 1, 2]];
