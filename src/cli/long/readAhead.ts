import { type LongFile, longFile, readInBackground } from './longFile.ts';

/** Reads all bytes of a long file, or waits for them if reading has begun already. */
export type ReadAhead = (file: LongFile) => Promise<Uint8Array>;

/**
 * Begins to read two long dumps that a command line of `diff` compares, while the code of the command is loaded: both
 * take equally long. A file that is not a dump after all, or has another name, costs time and changes nothing.
 */
export function readAhead(argv: readonly string[]): ReadAhead {
  const isWithManifests = argv.some((word) => /^(?:-f|--filename(?:=|$))/.test(word));
  const words = isWithManifests ? [] : argv.slice(1).filter((word) => !word.startsWith('-'));
  const files = words.flatMap((word) => longFile(word) ?? []);
  const begun = new Map<string, Promise<Uint8Array>>();
  if (files.length === 2) for (const file of files) begun.set(file.path, readInBackground(file));
  return (file) => begun.get(file.path) ?? readInBackground(file);
}
