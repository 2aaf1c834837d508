import { basename } from 'node:path';

/**
 * The name for the node of a dump among others. Dumps of several nodes often have the same name, in different folders.
 */
export function nodeName(path: string, paths: readonly string[]): string {
  const isAmbiguous = paths.some((other) => other !== path && basename(other) === basename(path));
  if (isAmbiguous) return path;
  return path === '-' ? 'standard input' : basename(path);
}
