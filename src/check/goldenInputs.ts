import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, relative, sep } from 'node:path';
import { findFiles } from '../load/files/findFiles.ts';
import { manifestName } from '../load/manifestName.ts';
import type { CheckCase } from './checkCase.ts';

/**
 * The cases whose golden file is also an input of some case, or would be one once it is written: `--update` would write
 * over manifests. Names may differ: links, and `./a` for `a`, are seen through.
 */
export function goldenInputs(cases: readonly CheckCase[], checkFile: string): readonly CheckCase[] {
  const inputs = new Set<string>();
  const folders: Folder[] = [];
  for (const path of [checkFile, ...cases.flatMap(({ options }) => options.flatMap(configOf))]) addFile(path, inputs);
  for (const { manifests, isRecursive } of cases) {
    for (const path of findFiles(manifests, isRecursive, () => undefined)) addFile(path, inputs);
    for (const path of manifests) {
      const real = realPath(path);
      if (real !== undefined && statSync(real).isDirectory()) folders.push({ path: real, isRecursive });
    }
  }
  return cases.filter(({ golden }) => identities(golden).some((one) => inputs.has(one)) || isTakenUp(golden, folders));
}

interface Folder {
  readonly path: string;
  readonly isRecursive: boolean;
}

function configOf(option: string): readonly string[] {
  return option.startsWith('--config=') ? [option.slice('--config='.length)] : [];
}

function addFile(path: string, inputs: Set<string>): void {
  for (const one of identities(path)) inputs.add(one);
}

/** A file by its path and by its inode: a hard link is another path to it. */
function identities(path: string): readonly string[] {
  const real = realPath(path);
  if (real === undefined) return [];
  const { dev, ino } = statSync(real);
  return [real, `inode ${dev}:${ino}`];
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Whether the next run would read the golden file as a manifest of a directory. */
function isTakenUp(golden: string, folders: readonly Folder[]): boolean {
  const folder = realPath(dirname(golden));
  if (folder === undefined || !manifestName.test(basename(golden))) return false;
  return folders.some(({ path, isRecursive }) => {
    const way = relative(path, folder);
    return way === '' || (isRecursive && way !== '..' && !way.startsWith(`..${sep}`));
  });
}
