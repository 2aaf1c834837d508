import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const build = process.env.K8SNET_TEST_BUILD;

/** Whether `npm test` runs, which has built everything. */
export const isBuilt = build !== undefined;

/**
 * A source of the project for a process of its own, by its path: as `npm test` has built it (scripts/buildTests.ts looks for
 * calls of this with a path as it stands), or the source itself where a test file is run without that.
 */
export function builtFile(path: string): string {
  return build === undefined ? join(root, path) : join(build, path.replace(/\.ts$/, '.js'));
}

/** Runs a built file, with arguments behind it. */
export const nodeCommand: readonly string[] =
  build === undefined ? [process.execPath, '--import', import.meta.resolve('tsx')] : [process.execPath];
