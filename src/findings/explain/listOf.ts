import { escapeText } from '../../common/escapeText.ts';

/** The first lines of many, safe to print. */
export function listOf(lines: readonly string[]): string {
  const shown = lines.slice(0, 3).map(escapeText).join(', ');
  return lines.length > 3 ? `${shown} and ${lines.length - 3} more` : shown;
}
