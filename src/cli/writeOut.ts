import { writeSync } from 'node:fs';

/**
 * Thrown when the reader of our output went away (`| head`): there is nothing left to do and nothing wrong. A symbol of
 * the whole process, since this file may be in several bundles.
 */
export const readerGone = Symbol.for('k8snet: reader gone');

/**
 * Writes text to standard output piece by piece and at once: a process that ends right after has written everything.
 * Throws {@link readerGone} when the pipe is closed.
 */
export function writeOut(pieces: Iterable<string>): void {
  for (const piece of pieces) writeAll(1, Buffer.from(piece));
}

/** The same for standard error. */
export function writeError(text: string): void {
  writeAll(2, Buffer.from(text));
}

function writeAll(descriptor: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') throw readerGone;
      // A pipe in non-blocking mode that is full: wait for its reader.
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
