import { escapeText } from '../../common/escapeText.ts';
import { firstFew } from '../../common/firstFew.ts';

/** The first lines of many, safe to print. */
export function listOf(lines: readonly string[]): string {
  return firstFew(lines.map(escapeText), 3);
}
