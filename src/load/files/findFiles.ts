import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compareBytes } from '../../common/compareBytes.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { manifestName } from '../manifestName.ts';
import { reasonOf } from './reasonOf.ts';

/**
 * The files that paths stand for, in order: a file as it is, a directory by its `.yaml`, `.yml` and `.json` files in
 * byte order (those below it too if `recursive`), `-` for standard input; `a.yaml,b.yaml` and `shop/*.yaml`, where no
 * shell has done that, for several. What cannot be found is reported.
 */
export function findFiles(paths: readonly string[], recursive: boolean, report: Report): string[] {
  const found: string[] = [];
  for (const path of paths.flatMap(expanded)) {
    if (path === '-') {
      found.push(path);
      continue;
    }
    const isDirectory = probe(path, report);
    if (isDirectory === false) found.push(path);
    if (isDirectory !== true) continue;
    const before = found.length;
    walk(path, recursive, found, report);
    if (found.length > before) continue;
    report({
      code: 'no-manifests',
      severity: 'error',
      message: `directory ${path} has no .yaml, .yml or .json file`,
      at: [],
      hint: recursive ? 'give the files themselves' : 'give -R to read the directories below it too',
    });
  }
  return found;
}

function expanded(path: string): readonly string[] {
  if (path === '-' || !/[,*?]/.test(path) || existsSync(path)) return [path];
  const parts = path.split(',').filter((part) => part !== '');
  return parts.length > 1 ? parts.flatMap(expanded) : matching(path);
}

/** The files that a pattern in the last part of a path stands for; the path itself where it stands for none. */
function matching(path: string): readonly string[] {
  const folder = dirname(path);
  const pattern = basename(path)
    .split(/([*?])/)
    .map((part) => (part === '*' ? '[^/]*' : part === '?' ? '[^/]' : part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')));
  const wanted = new RegExp(`^(?!\\.)${pattern.join('')}$`);
  try {
    const names = readdirSync(folder).filter((name) => wanted.test(name));
    return names.length === 0
      ? [path]
      : names.sort(compareBytes).map((name) => join(path.includes('/') ? folder : '', name));
  } catch {
    return [path];
  }
}

/** Whether a path is a directory; undefined, reported, where it cannot be told. */
function probe(path: string, report: Report): boolean | undefined {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    cannotRead(path, error, report);
    return undefined;
  }
}

function cannotRead(path: string, error: unknown, report: Report): void {
  const message = `${path}: ${reasonOf(error)}`;
  const isUrl = /^https?:\/\//.test(path);
  report({
    code: 'cannot-read',
    severity: 'error',
    message,
    at: [],
    ...(isUrl ? { hint: 'k8snet reads no URLs: fetch it and give the file, or - and pipe it in' } : {}),
  });
}

function walk(directory: string, recursive: boolean, found: string[], report: Report): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    cannotRead(directory, error, report);
    return;
  }
  for (const entry of entries.sort((a, b) => compareBytes(a.name, b.name))) {
    const path = directory.endsWith('/') ? directory + entry.name : `${directory}/${entry.name}`;
    // A link to a directory is not followed (kubectl does not either): links can form a ring.
    if (entry.isDirectory()) {
      if (recursive) walk(path, recursive, found, report);
    } else if (manifestName.test(entry.name)) {
      const isFile = entry.isFile() || (entry.isSymbolicLink() && linksToFile(path, report));
      if (isFile) found.push(path);
      else if (!entry.isSymbolicLink()) skipSpecial(path, report);
    }
  }
}

/** Reads of a pipe wait for its writer, maybe for ever, and devices may never end: they count only where they are named. */
function skipSpecial(path: string, report: Report): void {
  report({
    code: 'special-file-skipped',
    severity: 'warning',
    message: `${path} is not a regular file: skipped`,
    at: [],
    hint: `-f ${path} reads it all the same`,
  });
}

function linksToFile(path: string, report: Report): boolean {
  try {
    const target = statSync(path);
    if (!target.isFile() && !target.isDirectory()) skipSpecial(path, report);
    return target.isFile();
  } catch (error) {
    cannotRead(path, error, report);
    return false;
  }
}
