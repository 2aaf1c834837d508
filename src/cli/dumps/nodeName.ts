import { basename } from 'node:path';

/** What the node of a dump is called among others. Dumps of several nodes often have one name, in folders of theirs. */
export function nodeName(path: string, paths: readonly string[]): string {
  const isAmbiguous = paths.some((other) => other !== path && basename(other) === basename(path));
  if (isAmbiguous) return path;
  return path === '-' ? 'standard input' : basename(path);
}
