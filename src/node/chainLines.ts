import type { RuleChain } from './nodeRules.ts';

/** The lines of a chain, in their order. Split only where somebody asks for them one by one. */
export function linesOf(chain: RuleChain | undefined): readonly string[] {
  if (chain === undefined) return [];
  chain.own ??= chain.block === '' ? [] : chain.block.split('\n');
  return chain.own;
}

/** The line of each in its file; empty for compiled rules. */
export function numbersOf(chain: RuleChain): readonly number[] {
  if (chain.ownNumbers !== undefined) return chain.ownNumbers;
  return chain.blockFrom === 0 ? [] : linesOf(chain).map((_, at) => chain.blockFrom + at);
}

/** The line of one in its file; 0: it stands in none. */
export function numberAt(chain: RuleChain, at: number): number {
  if (chain.ownNumbers !== undefined) return chain.ownNumbers[at] ?? 0;
  return chain.blockFrom === 0 ? 0 : chain.blockFrom + at;
}

export function hasLines(chain: RuleChain | undefined): boolean {
  return chain !== undefined && (chain.own === undefined ? chain.block !== '' : chain.own.length > 0);
}

/** All lines together are this text. */
export function hasText(chain: RuleChain, text: string): boolean {
  return chain.own === undefined ? chain.block === text : chain.own.join('\n') === text;
}

/** Puts a line at the end; `number` 0: it stands in no file. */
export function addLine(chain: RuleChain, line: string, number: number): void {
  const own = linesOf(chain) as string[];
  if (number > 0 || chain.ownNumbers !== undefined || chain.blockFrom > 0) {
    chain.ownNumbers ??= [...numbersOf(chain)];
    chain.ownNumbers.push(number);
  }
  own.push(line);
  chain.block = '';
}

/** Puts a run of lines at the end, as they stand in a text from a line on; 0: in none. */
export function addBlock(chain: RuleChain, block: string, from: number): void {
  if (!hasLines(chain) && chain.ownNumbers === undefined) {
    chain.block = block;
    chain.blockFrom = from;
    delete chain.own;
    return;
  }
  const own = linesOf(chain) as string[];
  const lines = block.split('\n');
  if (from > 0) {
    chain.ownNumbers ??= [...numbersOf(chain)];
    for (let at = 0; at < lines.length; at += 1) chain.ownNumbers.push(from + at);
  }
  for (const line of lines) own.push(line);
  chain.block = '';
}

/** Takes a line out. */
export function removeLine(chain: RuleChain, at: number): void {
  const numbers = [...numbersOf(chain)];
  numbers.splice(at, 1);
  chain.ownNumbers = numbers;
  chain.own = linesOf(chain).filter((_, other) => other !== at);
  chain.block = '';
}

/** Both have the same lines in the same order. */
export function haveSameLines(one: RuleChain, other: RuleChain): boolean {
  if (isSameRun(one, other)) return true;
  const [lines, others] = [linesOf(one), linesOf(other)];
  return lines.length === others.length && lines.every((line, at) => line === others[at]);
}

/** Both are one run of text: nothing needs to be split. */
export function isSameRun(one: RuleChain, other: RuleChain): boolean {
  return one.own === undefined && other.own === undefined && one.block === other.block;
}
