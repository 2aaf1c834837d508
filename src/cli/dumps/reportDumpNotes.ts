import { escapeText } from '../../common/text/escapeText.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { NodeRules } from '../../node/nodeRules.ts';

/** Reports what could not be read in a dump, for commands that print no report with its notes. */
export function reportDumpNotes({ notes }: NodeRules, report: Report): void {
  for (const note of notes) report({ code: 'dump-note', severity: 'note', message: escapeText(note), at: [] });
}
