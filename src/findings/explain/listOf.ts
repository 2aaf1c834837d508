import { escapeText } from '../../common/text/escapeText.ts';
import { firstFew } from '../../common/text/firstFew.ts';

/** The first lines of many, safe to print. */
export function listOf(lines: readonly string[]): string {
  return firstFew(lines.map(escapeText), 3);
}
