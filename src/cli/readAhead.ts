import { type LongFile, longFile, readInBackground } from './longFile.ts';

/** Reads all bytes of a long file, or waits for them where reading has begun already. */
export type ReadAhead = (file: LongFile) => Promise<Uint8Array>;

/**
 * Begins to read two long dumps that a command line of `diff` compares, while the code of the command is loaded: both take
 * as long. What is no dump after all, or is named in another way, costs time and changes nothing.
 */
export function readAhead(argv: readonly string[]): ReadAhead {
  const paths = dumpsNamed(argv);
  const files = paths.length === 2 ? paths.map(longFile) : [];
  const begun = new Map<string, Promise<Uint8Array>>();
  if (files.every((file) => file !== undefined)) {
    for (const file of files) begun.set(file.path, readInBackground(file));
  }
  return (file) => begun.get(file.path) ?? readInBackground(file);
}

/** The words behind the command that are neither options nor may be their values; none where manifests are named. */
function dumpsNamed([, ...words]: readonly string[]): readonly string[] {
  if (words.some((word) => /^(?:-f|--filename(?:=|$))/.test(word))) return [];
  return words.filter((word, at) => !word.startsWith('-') && !words[at - 1]?.startsWith('-'));
}
