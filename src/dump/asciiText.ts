/** The text of a part of bytes that are ASCII, of which each is a character. */
export function asciiText(bytes: Uint8Array, start: number, length: number): string {
  if (typeof Buffer === 'undefined') return new TextDecoder('latin1').decode(bytes.subarray(start, start + length));
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, length).toString('latin1');
}
