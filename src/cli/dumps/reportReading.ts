import { escapeText } from '../../common/text/escapeText.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { placeText } from '../../node/lines/placeText.ts';
import { splitProse } from '../../node/lines/splitProse.ts';
import { unreadSentence } from '../../node/lines/unreadSentence.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { reportDumpNotes } from './reportDumpNotes.ts';

/** Reports what could not be read in a dump, and names each unreadable line, which does not count. */
export function reportReading(dump: NodeRules, report: Report): void {
  reportDumpNotes(dump, report);
  const { damaged, prose } = splitProse(dump.unread);
  for (const [file, lines] of prose) {
    const message = `${escapeText(file)}: ${unreadSentence(lines)}`;
    report({ code: 'unread-line', severity: 'note', message, at: [] });
  }
  for (const line of damaged) {
    const message = `${placeText(line)}: ${line.message}: ${escapeText(line.text)}`;
    report({ code: 'unread-line', severity: 'warning', message, at: [] });
  }
}
