import { writeSync } from 'node:fs';
import { writeReason } from './writeReason.ts';

/**
 * Writes text to standard output piece by piece and at once: a process that ends right after has written everything.
 * When the reader has closed the pipe (`| head`) the rest is dropped and nothing is wrong: false. Any other failure is thrown,
 * and {@link saysUnwritten} says it.
 */
export function writeOut(pieces: Iterable<string>): boolean {
  try {
    const slab = Buffer.allocUnsafeSlow(slabSize);
    let length = 0;
    const add = (text: string) => {
      const most = text.length * bytesPerUnit;
      if (length + most > slabSize) {
        writeAll(1, slab.subarray(0, length));
        length = 0;
      }
      if (most > slabSize) writeAll(1, Buffer.from(text));
      else length += slab.write(text, length);
    };
    let open = '';
    for (const piece of pieces) {
      open += piece;
      if (open.length < shortestPiece) continue;
      add(open);
      open = '';
    }
    add(open);
    writeAll(1, slab.subarray(0, length));
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EPIPE' || !isOfWriting(error)) throw error;
    return false;
  }
}

/** Pieces may be small: they are put together before they are encoded, and again before they are written. */
const shortestPiece = 4 << 10;
const slabSize = 1 << 20;

/** A character is at most three bytes of UTF-8 for each UTF-16 unit. */
const bytesPerUnit = 3;

/** The same for standard error. What cannot be said there cannot be said anywhere: it changes nothing else. */
export function writeError(text: string): void {
  try {
    writeAll(2, Buffer.from(text));
  } catch {
    // The exit code still tells.
  }
}

/** Says why standard output could not be written; false for any other error. */
export function saysUnwritten(error: unknown): boolean {
  if (!isOfWriting(error)) return false;
  writeError(`k8snet: cannot write: ${writeReason(error)}\n`);
  return true;
}

function isOfWriting(error: unknown): boolean {
  return (error as { readonly syscall?: unknown } | null)?.syscall === 'write';
}

function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown } | null)?.code ?? '');
}

function writeAll(descriptor: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      // A pipe in non-blocking mode that is full: wait for its reader.
      if (codeOf(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
