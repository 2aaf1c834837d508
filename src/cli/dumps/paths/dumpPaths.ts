import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDumpName } from './isDumpName.ts';
import { isFolder } from './isFolder.ts';
import { isSosDump } from './isSosDump.ts';

/**
 * A folder stands for its dumps, by name, or for all its files if none has the name of a dump; a folder from `collect`
 * stands for those in its folder `dumps`, an sos report for its rules and network facts.
 */
export function dumpPaths(path: string): readonly string[] {
  if (path === '-' || !isFolder(path)) return [path];
  const dumps = join(path, 'dumps');
  if (isFolder(dumps)) return dumpPaths(dumps);
  const sos = join(path, 'sos_commands');
  if (isFolder(sos)) return sosPaths(sos);
  const files = readdirSync(path, { withFileTypes: true })
    .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => statSync(join(path, name), { throwIfNoEntry: false })?.isFile() !== false)
    .sort();
  const named = files.filter(isDumpName);
  return (named.length > 0 ? named : files).map((name) => join(path, name));
}

function sosPaths(sos: string): readonly string[] {
  return readdirSync(sos)
    .filter((name) => isFolder(join(sos, name)))
    .sort()
    .flatMap((plugin) =>
      readdirSync(join(sos, plugin))
        .sort()
        .map((name) => `${sos}/${plugin}/${name}`),
    )
    .filter(isSosDump);
}
