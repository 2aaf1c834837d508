import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Ran } from './outputOf.ts';
import { outputOf } from './outputOf.ts';

export interface UmlOptions {
  /** Default 256M; a guest that runs Node wants 1G. */
  readonly memory?: string;
  readonly timeoutSeconds?: number;
  /** Folders in which what the guest writes stays. */
  readonly shares?: readonly string[];
  readonly input?: string;
}

/**
 * Runs a command on a kernel of its own that has IPVS, all types of ipset and SCTP (see uml-run). Status 124: timeout;
 * 125: no guest.
 */
export function runInUml(command: readonly string[], options: UmlOptions = {}): Promise<Ran> {
  const { memory = '256M', timeoutSeconds = 120, shares = [], input } = options;
  const flags = ['--mem', memory, '--timeout', String(timeoutSeconds), ...shares.flatMap((path) => ['--share', path])];
  if (input !== undefined) flags.push('--stdin');
  const child = spawn(join(import.meta.dirname, 'uml-run'), [...flags, '--', ...command], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return outputOf(child, input);
}
