import { parentPort, workerData } from 'node:worker_threads';
import { indexLongDump, type LongDumpIndex } from '../dump/indexLongDump.ts';
import { type LongFile, readInBackground } from './longFile.ts';

/** What the thread hands over. */
export interface IndexedFile {
  /** All bytes of the file; none where it cannot be read. */
  readonly bytes: Uint8Array;
  readonly index: LongDumpIndex | undefined;
}

/** Reads a long dump and tells what its bytes say, in a thread of its own: a file of its own in the build. */
readInBackground(workerData as LongFile).then((bytes) => {
  const index = indexLongDump(bytes);
  parentPort?.postMessage({ bytes, index } satisfies IndexedFile, [bytes.buffer as ArrayBuffer, ...buffersOf(index)]);
});

function buffersOf(index: LongDumpIndex | undefined): readonly ArrayBuffer[] {
  if (index === undefined) return [];
  const { names, excerpt, lines, targets } = index;
  return [names.rows, names.slots, excerpt, lines, targets.used].map(({ buffer }) => buffer as ArrayBuffer);
}
