import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInUml } from '../../src/lab/runInUml.ts';
import { builtFile, nodeCommand } from '../support/builtFile.ts';
import { kernelTests } from './requirements.ts';

/**
 * Packets in IPVS mode, on a guest kernel: few machines' own kernels have IPVS in a network namespace. Most of what
 * differs from iptables mode is in these scenarios. `uml-run --mem 1G node --import tsx test/kernel/ipvsGuest.ts 1.30`
 * runs all others too, which takes some minutes: every process that Node starts costs half a second there.
 */
const guests: readonly (readonly [version: string, ...names: string[]])[] = [
  ['1.30', 'lb-basic', 'noendpoints-all-types'],
  ['1.30', 'lb-etp-local', 'policy-itp-local'],
  ['1.20', 'lb-etp-local'],
];

const umlTest = kernelTests(['uml']);

for (const [version, ...names] of guests) {
  umlTest(`packets in IPVS mode of ${version}: ${names.join(', ')}`, async () => {
    // An emulated kernel on a busy machine can miss the answer to a probe: what is wrong is wrong twice.
    const first = await runScenarios(version, names);
    if (first.isSound) return;
    const second = await runScenarios(version, names);
    assert.ok(second.isSound, `${first.said}\n${second.said}`);
  });
}

async function runScenarios(
  version: string,
  names: readonly string[],
): Promise<{ readonly isSound: boolean; readonly said: string }> {
  const command = [...nodeCommand, builtFile('test/kernel/ipvsGuest.ts'), version, ...names];
  const { status, stdout, stderr } = await runInUml(command, { memory: '1G', timeoutSeconds: 480 });
  const wanted = names.map((name) => JSON.stringify({ name, problems: [] })).join('\n');
  return { isSound: status === 0 && stdout.trim() === wanted, said: `status ${status}\n${stderr}\n${stdout}` };
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
