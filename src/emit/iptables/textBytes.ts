/** Node's Buffer writes and reads short texts in half the time; browsers have none. */
const hasBuffer = typeof Buffer !== 'undefined';

export function newBlock(size: number): Uint8Array {
  return hasBuffer ? Buffer.allocUnsafeSlow(size) : new Uint8Array(size);
}

/** Writes UTF-8 and gives its length. */
export function writeText(block: Uint8Array, text: string, at: number): number {
  return hasBuffer ? (block as Buffer).write(text, at) : new TextEncoder().encodeInto(text, block.subarray(at)).written;
}

/** The text of UTF-8. */
export function decodeText(block: Uint8Array, start: number, end: number): string {
  if (hasBuffer) return (block as Buffer).toString('utf8', start, end);
  return new TextDecoder().decode(block.subarray(start, end));
}

export function copyBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
  if (hasBuffer) (from as Buffer).copy(to, at, start, end);
  else to.set(from.subarray(start, end), at);
}
