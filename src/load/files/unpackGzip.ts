import { gunzipSync } from 'node:zlib';
import { longestInput } from './longestInput.ts';

/** What gzip packed into some bytes; undefined: its data is damaged, or too long when unpacked. */
export function unpackGzip(bytes: Buffer): Buffer | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: longestInput });
  } catch {
    return undefined;
  }
}
