import { lineCount } from '../lines/chainLines.ts';
import type { ChainContent, RuleChain } from '../ruleChain.ts';

/** A chain while it is read or compiled: the only time it is written to. */
export interface ChainDraft extends RuleChain {
  policy?: string;
  policyPackets?: number;
  packets?: (number | undefined)[];
  isDeclared: boolean;
  text: string;
  firstLine: number;
  lineNumbers?: number[];
  files?: string[];
  declaredAt: number;
  content?: ChainContent;
  owner?: string;
  owners?: (string | undefined)[];
}

export interface TableDraft {
  readonly name: string;
  readonly isWhole: boolean;
  readonly cut?: string;
  readonly isUnfinished?: true;
  readonly hasLostLines?: true;
  readonly isWritten?: true;
  readonly hasWholeChains?: true;
  readonly chains: Map<string, ChainDraft>;
}

export function newChain(name: string, file: string): ChainDraft {
  return { name, isDeclared: false, text: '', firstLine: 0, file, declaredAt: 0 };
}

/** The chain of a table; it is made if it does not exist yet. */
export function chainOf(table: Pick<TableDraft, 'chains'>, name: string, file: string): ChainDraft {
  let chain = table.chains.get(name);
  if (chain === undefined) {
    chain = newChain(name, file);
    table.chains.set(name, chain);
  }
  return chain;
}

/** Appends one line, with the packets that it counted. */
export function addCountedLine(chain: ChainDraft, line: string, at: number, packets: number | undefined): void {
  addLines(chain, line, at);
  if (packets === undefined && chain.packets === undefined) return;
  const lines = chain.lineNumbers?.length ?? lineCount(chain);
  chain.packets ??= [];
  while (chain.packets.length < lines - 1) chain.packets.push(undefined);
  chain.packets[lines - 1] = packets;
}

/** Appends a line or several, which stand in a text from a line on; 0: they stand in no text. */
export function addLines(chain: ChainDraft, block: string, from: number): void {
  if (chain.text === '' && chain.lineNumbers === undefined) {
    chain.text = block;
    chain.firstLine = from;
    return;
  }
  if (from > 0 || chain.firstLine > 0 || chain.lineNumbers !== undefined) {
    chain.lineNumbers ??= consecutive(chain.firstLine, chain.text);
    let number = from;
    for (let at = 0; at !== -1; at = block.indexOf('\n', at + 1)) {
      chain.lineNumbers.push(number);
      if (from > 0) number += 1;
    }
    chain.firstLine = 0;
  }
  chain.text = chain.text === '' ? block : `${chain.text}\n${block}`;
}

/** The numbers of the lines of a text whose first line is `first`. */
function consecutive(first: number, text: string): number[] {
  const numbers: number[] = [];
  if (text === '') return numbers;
  for (let at = 0; at !== -1; at = text.indexOf('\n', at + 1)) numbers.push(first === 0 ? 0 : first + numbers.length);
  return numbers;
}

/** Keeps the lines for which `isKept` is true. */
export function filterLines(chain: ChainDraft, isKept: (line: string, at: number) => boolean): void {
  const lines = chain.text === '' ? [] : chain.text.split('\n');
  const numbers = chain.lineNumbers ?? consecutive(chain.firstLine, chain.text);
  const kept = lines.map(isKept);
  if (!kept.includes(false)) return;
  chain.text = lines.filter((_, at) => kept[at]).join('\n');
  if (chain.packets) chain.packets = lines.map((_, at) => chain.packets?.[at]).filter((_, at) => kept[at]);
  chain.lineNumbers = numbers.filter((_, at) => kept[at]);
  chain.firstLine = 0;
}
