import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { IndexedFile } from './dumpThread.ts';
import { type LongFile, readInBackground } from './longFile.ts';

/** Reads a long dump in a thread of its own; where there can be none, in this one. */
export async function indexLongFile(file: LongFile): Promise<IndexedFile> {
  const read = availableParallelism() > 1 ? await inThread(file) : undefined;
  if (read !== undefined) return read;
  const coming = readInBackground(file);
  const { indexLongDump } = await import('../dump/indexLongDump.ts');
  const bytes = await coming;
  return { bytes, index: indexLongDump(bytes) };
}

const program = join(import.meta.dirname, 'dumpThread.cjs');

/** Undefined: the program runs from its sources, or the system gives no thread. */
function inThread(file: LongFile): Promise<IndexedFile | undefined> {
  if (!existsSync(program)) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    try {
      const thread = new Worker(program, { workerData: file, execArgv: [] });
      thread.once('message', resolve);
      for (const end of ['messageerror', 'error', 'exit']) thread.once(end, () => resolve(undefined));
    } catch {
      resolve(undefined);
    }
  });
}
