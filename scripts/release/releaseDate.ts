import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changelogSection } from './changelog.ts';

const root = join(import.meta.dirname, '../..');

/** The version of everything that is built, from the one place where it stands. */
export const releaseVersion: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

/**
 * The day that manual pages name, YYYY-MM-DD, which stays the same however often a commit is built: that of the
 * version's release, from CHANGELOG.md; before the release SOURCE_DATE_EPOCH, or the commit's day; without git, today.
 */
export function releaseDate(): string {
  const section = changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), releaseVersion);
  return section?.date ?? dayOf(Number(process.env.SOURCE_DATE_EPOCH ?? commitTime() ?? Date.now() / 1000));
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

function commitTime(): string | undefined {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('git', ['log', '-1', '--format=%ct'], {
      cwd: root,
      stdio: [...stdio],
      encoding: 'utf8',
    }).trim();
  } catch {
    return undefined;
  }
}
