import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isExecutable } from '../../common/embedded.ts';
import type { SearchEndpoints } from '../../node/chains/endpointSearch.ts';
import type { FileOfThread, IndexedFile } from './dumpThread.ts';
import { isSearched, type LongFile, type LongPurpose, readInBackground } from './longFile.ts';
import { searchInThread } from './searchInThread.ts';

/** A long dump, and a search for chains in it that runs in parallel: undefined if no thread can do it. */
export interface SearchableFile extends IndexedFile {
  readonly search?: SearchEndpoints;
}

/** Reads a long dump in a thread of its own, or in this one if there can be none. */
export async function indexLongFile(file: LongFile, purpose: LongPurpose): Promise<SearchableFile> {
  const read = availableParallelism() > 1 ? await inThread({ ...file, purpose }) : undefined;
  if (read !== undefined) return read;
  const coming = readInBackground(file);
  const { indexLongDump } = await import('../../dump/bytes/indexLongDump.ts');
  const bytes = await coming;
  return { bytes, index: indexLongDump(bytes) };
}

const program = join(import.meta.dirname, 'dumpThread.cjs');

/** Undefined: the program runs from its sources or is an executable, or the system gives no thread. */
function inThread(file: FileOfThread): Promise<SearchableFile | undefined> {
  if (isExecutable || !existsSync(program)) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    try {
      const thread = new Worker(program, { workerData: file, execArgv: [] });
      thread.once('message', (read: IndexedFile) => {
        // The process does not wait for a thread that waits for questions.
        thread.unref();
        resolve(isSearched(file.purpose) ? { ...read, search: searchInThread(thread) } : read);
      });
      for (const end of ['messageerror', 'error', 'exit']) thread.on(end, () => resolve(undefined));
    } catch {
      resolve(undefined);
    }
  });
}
