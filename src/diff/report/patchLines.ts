import { escapeText } from '../../common/escapeText.ts';
import type { ReportStyle } from './reportStyle.ts';

/**
 * A unified diff of jsdiff's, safe to print and coloured. Tabs stay. A context line that GitHub's log would take for a
 * command (`::add-mask::…`; leading blanks do not hinder it) gets a visible escape.
 */
export function patchLines(patch: string, style: Pick<ReportStyle, 'dim' | 'removed' | 'added'>): string {
  return patch
    .split('\n')
    .filter((line) => !line.startsWith('====='))
    .map((line) => {
      const safe = line
        .split('\t')
        .map(escapeText)
        .join('\t')
        .replace(/^(\s*):(?=:)/, '$1\\x3a');
      if (/^(?:--- |\+\+\+ |@@ )/.test(safe)) return style.dim(safe);
      return safe.startsWith('-') ? style.removed(safe) : safe.startsWith('+') ? style.added(safe) : safe;
    })
    .join('\n');
}
