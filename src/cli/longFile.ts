import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { longestInput } from '../load/readBytes.ts';

/** A file that is sooner compared as bytes than read. */
export interface LongFile {
  readonly path: string;
  readonly size: number;
}

/** Shorter ones are read sooner than compared. */
const shortest = 8 << 20;

export function longFile(path: string): LongFile | undefined {
  const stat = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  const isLong = stat?.isFile() === true && stat.size >= shortest && stat.size <= longestInput;
  return isLong ? { path, size: stat.size } : undefined;
}

/** All of a file at once; nothing where it cannot be read: who reads the files one by one then says why. */
export async function readInBackground({ path, size }: LongFile): Promise<Buffer> {
  try {
    const file = await open(path);
    try {
      const bytes = Buffer.allocUnsafeSlow(size);
      const { bytesRead } = await file.read(bytes, 0, size, 0);
      return bytesRead === size ? bytes : nothing;
    } finally {
      await file.close();
    }
  } catch {
    return nothing;
  }
}

const nothing = Buffer.alloc(0);
