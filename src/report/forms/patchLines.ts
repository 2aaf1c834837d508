import { escapeText } from '../../common/text/escapeText.ts';
import type { ReportStyle } from '../reportStyle.ts';
import { escapeWorkflowCommand } from './escapeWorkflowCommand.ts';

/** A unified diff by jsdiff, safe to print and colored. Tabs stay. */
export function patchLines(patch: string, style: Pick<ReportStyle, 'dim' | 'removed' | 'added'>): string {
  return patch
    .split('\n')
    .filter((line) => !line.startsWith('====='))
    .map((line) => {
      const safe = escapeWorkflowCommand(line.split('\t').map(escapeText).join('\t'));
      if (/^(?:--- |\+\+\+ |@@ )/.test(safe)) return style.dim(safe);
      return safe.startsWith('-') ? style.removed(safe) : safe.startsWith('+') ? style.added(safe) : safe;
    })
    .join('\n');
}
