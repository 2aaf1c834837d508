/** The part of Node's Buffer that we use. It writes and reads short texts in half the time; browsers do not have it. */
interface NodeBuffer extends Uint8Array {
  readonly write: (text: string, at: number) => number;
  readonly toString: (encoding?: 'utf8' | 'latin1', start?: number, end?: number) => string;
  readonly copy: (to: Uint8Array, at: number, start: number, end: number) => number;
}

interface NodeBuffers {
  readonly allocUnsafeSlow: (size: number) => NodeBuffer;
  readonly from: (bytes: ArrayBufferLike, start: number, length: number) => NodeBuffer;
}

const buffers = (globalThis as { readonly Buffer?: NodeBuffers & (abstract new (...from: never) => NodeBuffer) })
  .Buffer;

export function newBlock(size: number): Uint8Array {
  return buffers ? buffers.allocUnsafeSlow(size) : new Uint8Array(size);
}

/** Writes UTF-8 and gives its length. */
export function writeText(block: Uint8Array, text: string, at: number): number {
  return buffers
    ? asBuffer(block, buffers).write(text, at)
    : new TextEncoder().encodeInto(text, block.subarray(at)).written;
}

/** The text of UTF-8. */
export function decodeText(block: Uint8Array, start: number, end: number): string {
  if (buffers) return asBuffer(block, buffers).toString('utf8', start, end);
  return new TextDecoder().decode(block.subarray(start, end));
}

/** One character for each byte: correct for ASCII, and every other byte still takes one place. */
export function decodeLatin1(block: Uint8Array, start: number, end: number): string {
  if (buffers) return asBuffer(block, buffers).toString('latin1', start, end);
  return new TextDecoder('latin1').decode(block.subarray(start, end));
}

export function copyBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
  if (buffers) asBuffer(from, buffers).copy(to, at, start, end);
  else to.set(from.subarray(start, end), at);
}

/**
 * The same byte by byte: for so few bytes a call of the engine's own function does not pay. All of these loops are one
 * function because it is compiled early.
 */
export function copyFewBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
  for (let next = start, target = at; next < end; next += 1, target += 1) to[target] = from[next] as number;
}

/** Blocks are Buffers; other bytes, from a worker or from `fetch`, are not. */
function asBuffer(bytes: Uint8Array, from: NonNullable<typeof buffers>): NodeBuffer {
  return bytes instanceof from ? bytes : from.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
