import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * Runs a command line in a guest kernel that has IPVS, with this process's standard input, output and error, and gives
 * its status. The guest ends when this process does, however that ends.
 */
export function runLabInUml(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  readsInput: boolean,
): Promise<number> {
  const flags = ['--mem', '2G', '--timeout', '0', ...(readsInput ? ['--stdin'] : [])];
  const words = ['--pdeathsig', 'TERM', '--', join(import.meta.dirname, 'uml-run'), ...flags, '--', ...command];
  const child = spawn('setpriv', words, { stdio: 'inherit', env: { ...process.env, ...environment } });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 70));
  });
}
