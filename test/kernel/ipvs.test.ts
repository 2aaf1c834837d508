import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInUml } from '../../src/lab/runInUml.ts';
import { builtFile, nodeCommand } from '../support/builtFile.ts';
import { drawn } from '../support/drawn.ts';
import { kernelTests } from './requirements.ts';

/**
 * Packets in IPVS mode, on a guest kernel: few machines' own kernels have IPVS in a network namespace. Most of what
 * differs from iptables mode is in these scenarios. `uml-run --mem 1G node --import tsx test/kernel/ipvsGuest.ts 1.30:`
 * runs all others too, which takes some minutes: every process that Node starts costs half a second there. Where the
 * kernel is not required, each run draws every other one of these.
 */
const allRuns: readonly string[] = [
  '1.30:lb-basic',
  '1.30:noendpoints-all-types',
  '1.30:lb-etp-local',
  '1.30:policy-itp-local',
  '1.20:lb-etp-local',
];
const runs = drawn(allRuns);

const umlTest = kernelTests(['uml']);

/** A guest takes seconds to start, so all run in one. */
let all: Promise<Outcome> | undefined;

for (const run of runs) {
  umlTest(`packets in IPVS mode: ${run}`, async () => {
    all ??= runScenarios(runs);
    const first = await all;
    if (isSound(first, run)) return;
    // An emulated kernel on a busy machine can miss the answer to a probe: what is wrong is wrong twice.
    const second = await runScenarios([run]);
    assert.ok(isSound(second, run), `${first.said}\n${second.said}`);
  });
}

interface Outcome {
  readonly lines: readonly string[];
  readonly said: string;
}

function isSound({ lines }: Outcome, run: string): boolean {
  return lines.includes(JSON.stringify({ run, problems: [] }));
}

async function runScenarios(chosen: readonly string[]): Promise<Outcome> {
  const command = [...nodeCommand, builtFile('test/kernel/ipvsGuest.ts'), ...chosen];
  const { status, stdout, stderr } = await runInUml(command, { memory: '1G', timeoutSeconds: 900 });
  return { lines: status === 0 ? stdout.split('\n') : [], said: `status ${status}\n${stderr}\n${stdout}` };
}

umlTest('the guest keeps its status, its output and its input, and writes only to shared folders', async () => {
  const script = 'cat; echo out; echo err >&2; touch /etc/k8snet-was-here && exit 7';
  const { status, stdout, stderr } = await runInUml(['sh', '-c', script], { input: 'in\n' });
  assert.deepEqual({ status, stdout, stderr }, { status: 7, stdout: 'in\nout\n', stderr: 'err\n' });
  assert.ok(!existsSync('/etc/k8snet-was-here'));
  const shared = mkdtempSync(join(tmpdir(), 'k8snet-uml-'));
  try {
    assert.equal((await runInUml(['sh', '-c', `echo kept >'${shared}/file'`], { shares: [shared] })).status, 0);
    assert.equal(readFileSync(join(shared, 'file'), 'utf8'), 'kept\n');
  } finally {
    rmSync(shared, { recursive: true });
  }
  assert.equal((await runInUml(['sleep', '60'], { timeoutSeconds: 4 })).status, 124);
});
