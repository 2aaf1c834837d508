import { longestInput } from './longestInput.ts';

/** The bytes as they are, or what gzip packed into them; undefined: its data is damaged, or too long when unpacked. */
export async function unpackGzip(bytes: Buffer): Promise<Buffer | undefined> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  // Loaded only where there is something to unpack.
  const { gunzipSync } = await import('node:zlib');
  try {
    return gunzipSync(bytes, { maxOutputLength: longestInput });
  } catch {
    return undefined;
  }
}
