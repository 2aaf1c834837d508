import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { longestInput } from './longestInput.ts';
import { reasonOf } from './reasonOf.ts';

/** The bytes of a file, and whether reading it again would give the same ones (a pipe would not). */
export type ReadBytes =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly isRegular: boolean }
  | { readonly kind: 'tooBig'; readonly size: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** Reads a regular file at once, anything else (pipe, device) in pieces until it ends, is too big or is clearly no text. */
export function readBytes(file: string | typeof standardInput): ReadBytes {
  let descriptor: number | undefined;
  try {
    descriptor = file === standardInput ? file : openSync(file, 'r');
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return readPieces(descriptor);
    if (stat.size > longestInput) return { kind: 'tooBig', size: stat.size };
    return { kind: 'bytes', bytes: readFileSync(descriptor), isRegular: true };
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error) };
  } finally {
    if (descriptor !== undefined && descriptor !== standardInput) closeSync(descriptor);
  }
}

export const standardInput = 0;

function readPieces(descriptor: number): ReadBytes {
  const pieces: Buffer[] = [];
  let size = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(1 << 16);
    const length = readSync(descriptor, piece, 0, piece.length, null);
    if (length === 0) break;
    pieces.push(piece.subarray(0, length));
    size += length;
    if (size > longestInput) return { kind: 'tooBig', size };
    // /dev/zero never ends; NUL in UTF-8 is refused anyway, and UTF-16 starts with a BOM.
    if (piece.subarray(0, length).includes(0) && (pieces[0]?.[0] ?? 0) < 0xfe) break;
  }
  return { kind: 'bytes', bytes: Buffer.concat(pieces), isRegular: false };
}
