import type { Report } from '../../diagnostics/diagnostic.ts';
import { longestInput } from '../../load/files/longestInput.ts';
import { readBytes, standardInput } from '../../load/files/readBytes.ts';

/** The text of a dump: a file, or standard input for `-`. Bytes that are not UTF-8 become replacement characters. */
export function readDumpText(path: string, report: Report): string | undefined {
  const read = readBytes(path === '-' ? standardInput : path);
  // Decoding everything at once is twice as fast as readFileSync's decoding.
  if (read.kind === 'bytes') return read.bytes.toString('utf8').replace(/^\uFEFF/, '');
  const name = path === '-' ? 'standard input' : path;
  const reason = read.kind === 'failed' ? read.reason : `it has more than ${longestInput} bytes`;
  report({ code: 'cannot-read', severity: 'error', message: `cannot read ${name}: ${reason}`, at: [] });
  return undefined;
}
