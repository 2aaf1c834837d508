import { closeSync, openSync, read, statSync } from 'node:fs';
import { longestInput } from '../../load/files/longestInput.ts';

/** A file that is faster to compare as bytes than to read. */
export interface LongFile {
  readonly path: string;
  readonly size: number;
}

/**
 * What a long dump is read for: checks of it, for which chains are told apart; a search for chains in it; both; or a few
 * questions.
 */
export type LongPurpose = 'checks' | 'search' | 'checks and search' | 'questions';

/** Requests to look for chains will come. */
export function isSearched(purpose: LongPurpose): boolean {
  return purpose === 'search' || purpose === 'checks and search';
}

/** Shorter ones are faster to read. */
const shortest = 8 << 20;

/** Undefined: a short file, something else, or nothing readable; the code that reads it reports why. */
export function longFile(path: string): LongFile | undefined {
  try {
    const stat = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
    const isLong = stat?.isFile() === true && stat.size >= shortest && stat.size <= longestInput;
    return isLong ? { path, size: stat.size } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * All of a file at once; nothing if it cannot be read: the code that reads the files one by one then reports why.
 * Reading has begun when this returns, and continues while code is loaded.
 */
export function readInBackground(
  { path, size }: LongFile,
  allocate: (size: number) => Buffer = Buffer.allocUnsafeSlow,
): Promise<Buffer> {
  return new Promise((resolve) => {
    try {
      const file = openSync(path, 'r');
      const bytes = allocate(size);
      read(file, bytes, 0, size, 0, (error, bytesRead) => {
        closeSync(file);
        resolve(error === null && bytesRead === size ? bytes : nothing);
      });
    } catch {
      resolve(nothing);
    }
  });
}

const nothing = Buffer.alloc(0);
