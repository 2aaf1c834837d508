import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDumpName } from './isDumpName.ts';
import { isFolder } from './isFolder.ts';

/**
 * A folder stands for its dumps, by name, or for all its files where no name is a dump's; one that `collect` filled for
 * those in its folder `dumps`.
 */
export function dumpPaths(path: string): readonly string[] {
  if (path === '-' || !isFolder(path)) return [path];
  const dumps = join(path, 'dumps');
  if (isFolder(dumps)) return dumpPaths(dumps);
  const files = readdirSync(path, { withFileTypes: true })
    .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => statSync(join(path, name), { throwIfNoEntry: false })?.isFile() !== false)
    .sort();
  const named = files.filter(isDumpName);
  return (named.length > 0 ? named : files).map((name) => join(path, name));
}
