import { readFileSync } from 'node:fs';
import type { Report } from '../diagnostics/diagnostic.ts';

/** The text of a dump: a file, or standard input for `-`. Bytes that are no UTF-8 become replacement characters. */
export function readDumpText(path: string, report: Report): string | undefined {
  try {
    // Twice as fast as to let readFileSync decode.
    return readFileSync(path === '-' ? 0 : path)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  } catch (error) {
    report({
      code: 'cannot-read',
      severity: 'error',
      message: `cannot read ${path === '-' ? 'standard input' : path} (${(error as NodeJS.ErrnoException).code})`,
      at: [],
    });
    return undefined;
  }
}
