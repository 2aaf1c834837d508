import { isTyped } from '../isTyped.ts';
import type { ReportLine } from '../lineProblem.ts';
import type { ConntrackFlow } from './flow.ts';
import { parseFlow } from './parseFlow.ts';

/**
 * Reads what `conntrack -L` and /proc/net/nf_conntrack show, also as people paste it: with prompts, blank lines, Windows
 * line ends and the count that conntrack says at last. Never throws; every other line that is no connection is reported.
 */
export function parseConntrack(text: string, report: ReportLine): readonly ConntrackFlow[] {
  const flows: ConntrackFlow[] = [];
  for (const [at, raw] of text.split('\n').entries()) {
    const content = raw.trim();
    if (content === '' || content.startsWith('#')) continue;
    const read = parseFlow(content, at + 1);
    if (read.kind === 'flow') flows.push(read.flow);
    else if (!isProse(content)) {
      report({ line: at + 1, column: raw.indexOf(read.word) + 1, word: read.word, message: read.message });
    }
  }
  return flows;
}

function isProse(line: string): boolean {
  return line.startsWith('conntrack v') ? count.test(line) : isTyped(line, 'conntrack', 'nf_conntrack');
}

const count = /^conntrack v[\w.]+ \(conntrack-tools\): \d+ flow entr(?:y|ies) (?:has|have) been shown\.$/;
