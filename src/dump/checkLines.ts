import { parseRule } from '../netfilter/iptables/read/parseRule.ts';
import type { ReportLine } from '../netfilter/lineProblem.ts';
import { filterLines } from '../node/chains/chainDraft.ts';
import { numberAt } from '../node/lines/chainLines.ts';
import type { TextTable } from './indexSave.ts';
import type { SoundLines } from './soundLines.ts';

/**
 * Leaves out the lines of a table that no tool can read, and reports how many. `sound`: lines that were readable in
 * other dumps.
 */
export function checkLines(table: TextTable, report: ReportLine, sound: SoundLines | undefined): number {
  let damaged = 0;
  for (const chain of table.chains.values()) {
    if (sound?.has(chain.text)) continue;
    const lines = chain.text === '' ? [] : chain.text.split('\n');
    // A Service's chains are checked as a whole; those that all Services share differ line by line.
    const known = lines.length > mostOfService ? sound : undefined;
    const problems = new Set<number>();
    let at = 0;
    for (const line of lines) {
      if (known?.has(line)) {
        at += 1;
        continue;
      }
      const number = numberAt(chain, at);
      const read = parseRule(line, number);
      if (read.kind === 'problem') {
        report({ line: number, column: read.column, word: read.word, message: read.message });
        problems.add(at);
      } else known?.add(line);
      at += 1;
    }
    if (problems.size > 0) filterLines(chain, (_, place) => !problems.has(place));
    else if (known === undefined) sound?.add(chain.text);
    damaged += problems.size;
  }
  return damaged;
}

const mostOfService = 16;
