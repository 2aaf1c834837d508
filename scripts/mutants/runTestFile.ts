import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ScratchProject } from './scratchProject.ts';

/** The result of a test file on the unchanged project, and how long it takes. */
export interface TestRun {
  readonly passes: boolean;
  readonly seconds: number;
  /** The mutants whose places it reached. */
  readonly reached: ReadonlySet<number>;
}

/** Runs one test file with a mutant on, up to its first failure; without one it notes what the file reaches. */
export function runTestFile({ folder, built }: ScratchProject, file: string, mutant?: number, patience = 300): TestRun {
  const log = join(folder, 'reached.txt');
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    K8SNET_TEST_BUILD: built,
    ...(mutant === undefined ? { K8SNET_MUTANTS_REACHED: log } : { K8SNET_MUTANT: String(mutant) }),
  };
  const reporter = join(import.meta.dirname, 'failFast.mjs');
  for (let attempt = 1; ; attempt += 1) {
    const start = performance.now();
    const arguments_ = [`--test-reporter=${reporter}`, join(built, file.replace(/\.ts$/, '.js'))];
    const run = spawnSync(process.execPath, arguments_, {
      cwd: folder,
      env,
      stdio: 'ignore',
      timeout: Math.ceil(patience * 1000),
    });
    const seconds = (performance.now() - start) / 1000;
    // A system short of memory ends processes, and says nothing of the mutant.
    if (run.signal === 'SIGKILL' && attempt < 4) continue;
    if (run.signal === 'SIGKILL') throw new Error(`${file}: the system ends its process`);
    const reached = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean).map(Number) : [];
    rmSync(log, { force: true });
    return { passes: run.status === 0, seconds, reached: new Set(reached) };
  }
}
