import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { kernelTests } from './requirements.ts';
import { runInUml } from './uml.ts';

/**
 * Packets in IPVS mode, on a guest kernel: few machines' own kernels have IPVS in a network namespace. Most of what
 * differs from iptables mode is in these scenarios. `uml-run --mem 1G node --import tsx test/kernel/ipvsGuest.ts` runs
 * all others too, which takes some minutes: every process that Node starts costs half a second there.
 */
const guests = [
  ['lb-basic', 'noendpoints-all-types'],
  ['lb-etp-local', 'policy-itp-local'],
];

const slowTest =
  process.env.K8SNET_SLOW_TESTS === 'skip'
    ? (name: string) => void test(name, { skip: 'K8SNET_SLOW_TESTS=skip' }, () => {})
    : kernelTests(['uml']);

slowTest('packets in IPVS mode', async () => {
  const ran = await Promise.all(
    guests.map((names) =>
      runInUml([process.execPath, '--import', 'tsx', join(import.meta.dirname, 'ipvsGuest.ts'), ...names], {
        memory: '1G',
        timeoutSeconds: 480,
      }),
    ),
  );
  for (const [index, names] of guests.entries()) {
    const { status, stdout, stderr } = ran[index] ?? { status: 255, stdout: '', stderr: '' };
    const said = `status ${status}\n${stderr}\n${stdout}`;
    assert.equal(status, 0, said);
    const wanted = names.map((name) => JSON.stringify({ name, problems: [] }));
    assert.deepEqual(stdout.trim().split('\n'), wanted, said);
  }
});

kernelTests(['uml'])(
  'the guest keeps its status, its output and its input, and writes only to shared folders',
  async () => {
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
  },
);
