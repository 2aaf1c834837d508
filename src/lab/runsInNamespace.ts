import { spawnSync } from 'node:child_process';
import { labEnvironment } from './labEnvironment.ts';

/** The commands work in a network namespace of their own. */
export function runsInNamespace(script: string): boolean {
  const options = { env: labEnvironment(), stdio: 'pipe' } as const;
  return spawnSync('unshare', ['--net', '--', 'sh', '-eu', '-c', script], options).status === 0;
}
