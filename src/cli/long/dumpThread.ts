import { parentPort, workerData } from 'node:worker_threads';
import { findEndpoints } from '../../dump/bytes/findEndpoints.ts';
import { indexLongDump, type LongDumpIndex } from '../../dump/bytes/indexLongDump.ts';
import { withUsualChains } from '../../dump/bytes/usualChains.ts';
import { isSearched, type LongFile, type LongPurpose, readInBackground } from './longFile.ts';
import type { SearchRequest } from './searchInThread.ts';

/** What the thread is started with. */
export interface FileOfThread extends LongFile {
  readonly purpose: LongPurpose;
}

/** What the thread hands over. */
export interface IndexedFile {
  /** All bytes of the file; none if it cannot be read. */
  readonly bytes: Uint8Array;
  readonly index: LongDumpIndex | undefined;
}

/**
 * Reads a long dump and gives what its bytes show, in a thread of its own: a separate file in the build. Then it looks
 * for chains in them as often as requested; both threads see the text.
 */
const { purpose, ...file } = workerData as FileOfThread;
readInBackground(file, (size) => Buffer.from(new SharedArrayBuffer(size))).then((bytes) => {
  const found = indexLongDump(bytes);
  const index = purpose === 'checks' || purpose === 'checks and search' ? found && withUsualChains(found) : found;
  const own = isSearched(purpose) ? index && copyOf(index) : undefined;
  parentPort?.postMessage({ bytes, index } satisfies IndexedFile, buffersOf(index));
  if (own !== undefined) parentPort?.on('message', (request: SearchRequest) => answer(own, request));
});

type Searched = Pick<LongDumpIndex, 'text' | 'names'>;

/** What is handed over is gone from here. */
function copyOf({ text, names }: LongDumpIndex): Searched {
  return { text, names: { ...names, rows: names.rows.slice(), slots: names.slots.slice() } };
}

function answer(index: Searched, { wanted, found }: SearchRequest): void {
  try {
    findEndpoints(index, wanted, found);
  } catch {
    // The waiting thread looks for the chains itself.
    Atomics.store(found.progress, 0, -1);
    Atomics.notify(found.progress, 0);
  }
}

function buffersOf(index: LongDumpIndex | undefined): readonly ArrayBuffer[] {
  if (index === undefined) return [];
  const { names, excerpt, lines, targets, usual } = index;
  const all = [names.rows, names.slots, excerpt, lines, targets.used, ...(usual === undefined ? [] : [usual])];
  return all.map(({ buffer }) => buffer as ArrayBuffer);
}
