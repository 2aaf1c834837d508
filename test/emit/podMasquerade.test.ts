import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNamespace } from '../../src/lab/openNamespace.ts';
import { runIn } from '../../src/lab/runIn.ts';
import { readIptables } from '../kernel/loadRules.ts';
import { kernelTests, type Need } from '../kernel/requirements.ts';
import { runCli } from '../support/runCli.ts';

const input = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { clusterIP: '10.96.0.5', ports: [{ port: 80 }] },
});
const pods = ['--masquerade-pod-cidr', '10.244.0.0/16,fd00:244::/56'];
const rule =
  '-A POSTROUTING -s 10.244.0.0/16 ! -d 10.244.0.0/16 -m comment --comment "k8snet: Pods that leave their network" -j MASQUERADE';

function compile(...args: readonly string[]) {
  const ended = runCli(['compile', '-f', '-', '-q', '--node-ip', '192.0.2.7', ...args], { input });
  assert.equal(ended.status, 0, ended.stderr);
  return ended.stdout;
}

const modes: readonly (readonly [mode: string, more: readonly string[], needs: readonly Need[]])[] = [
  ['iptables', [], ['iptables-nft']],
  ['userspace', ['--kube-version', '1.25'], ['iptables-nft']],
];

test('the rule stands behind those of kube-proxy, of its family, and only where it is asked for', () => {
  for (const [mode, more] of [...modes, ['ipvs', []] as const]) {
    const args = ['--mode', mode, ...more];
    const postrouting = compile(...args, ...pods)
      .split('\n')
      .filter((line) => line.startsWith('-A POSTROUTING'));
    assert.equal(postrouting.at(-1), rule, mode);
    assert.equal(postrouting.length, mode === 'userspace' ? 1 : 2, mode);
    assert.doesNotMatch(compile(...args), /10\.244/);
  }
  assert.match(compile('--family', 'ipv6', ...pods), /-s fd00:244::\/56 ! -d fd00:244::\/56 .* -j MASQUERADE$/m);
  // What kube-proxy hands to iptables-restore stays what it is.
  assert.equal(compile('-o', 'restore', ...pods), compile('-o', 'restore'));
  assert.equal(runCli(['compile', '-f', '-', '--masquerade-pod-cidr', '10.0.0.0/8,10.1.0.0/16'], { input }).status, 2);
});

for (const [mode, more, needs] of modes) {
  kernelTests(needs)(`${mode}: the script, run twice, leaves one rule, behind those of kube-proxy`, async () => {
    const script = compile('--mode', mode, ...more, ...pods, '-o', 'script');
    const namespace = await openNamespace('node');
    try {
      for (const _ of [1, 2]) await runIn(namespace, ['sh'], script);
      const { nat = [] } = await readIptables(namespace, 'v4', 'nft');
      const postrouting = nat.filter((line) => line.startsWith('-A POSTROUTING'));
      assert.equal(postrouting.at(-1), rule);
      assert.equal(postrouting.filter((line) => line === rule).length, 1);
    } finally {
      await namespace.close();
    }
  });
}

kernelTests(['nft'])('nftables: a table of its own, as it is listed', async () => {
  const script = compile('--mode', 'nftables', ...pods, '-o', 'script');
  const save = compile('--mode', 'nftables', ...pods);
  const namespace = await openNamespace('node');
  try {
    for (const _ of [1, 2]) await runIn(namespace, ['sh'], script);
    const listed = await runIn(namespace, ['nft', 'list', 'table', 'ip', 'k8snet-pods']);
    assert.ok(save.endsWith(listed), listed);
  } finally {
    await namespace.close();
  }
});
