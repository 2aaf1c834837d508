import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One run of the command line, as a process. */
export interface Measurement {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMB: number;
  /** What `-v` said: milliseconds since the start, and the stage that had just ended. */
  readonly stages: readonly { readonly ms: number; readonly stage: string }[];
}

const root = join(import.meta.dirname, '..');

/** Runs `k8snet ARGS` several times and gives the run with the median wall time; each must end with the code `ends`. */
export function measure(args: readonly string[], scratch: string, runs: number, ends = 0): Measurement {
  const all = Array.from({ length: runs }, () => once([join(root, 'bench/measured.mjs'), ...args], scratch, ends));
  return all.sort((a, b) => a.wallMs - b.wallMs)[runs >> 1] as Measurement;
}

/** Median wall time of a bare `node -e 0`: what everything is compared with. */
export function bareNode(runs: number): number {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[runs >> 1] as number;
}

/** Median wall time of the command itself, without what measures memory; it must end with the code `ends`. */
export function startUp(args: readonly string[], runs: number, ends = 0): number {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/k8snet.cjs'), ...args]);
    if (status !== ends) throw new Error(`k8snet ${args.join(' ')} ended with ${status}: ${stderr}`);
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[runs >> 1] as number;
}

function once(argv: readonly string[], scratch: string, ends: number): Measurement {
  const usage = join(scratch, 'usage.json');
  const out = openSync(join(scratch, 'out'), 'w');
  const descriptor = openSync(usage, 'w');
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, argv, {
    stdio: ['ignore', out, 'pipe', descriptor],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const wallMs = performance.now() - start;
  closeSync(out);
  closeSync(descriptor);
  if (status !== ends)
    throw new Error(`k8snet ${argv.slice(1).join(' ')} ended with ${status}: ${stderr.slice(0, 2000)}`);
  const { peakMB, cpuMs } = JSON.parse(readFileSync(usage, 'utf8')) as { peakMB: number; cpuMs: number };
  const stages = [...stderr.matchAll(/^k8snet: (\d+) ms (.*)$/gm)].map((match) => ({
    ms: Number(match[1]),
    stage: match[2] as string,
  }));
  return { wallMs, cpuMs, peakMB, stages };
}
