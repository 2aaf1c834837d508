import assert from 'node:assert/strict';
import { type Namespace, openNamespace } from '../../src/lab/openNamespace.ts';
import { runIn } from '../../src/lab/runIn.ts';
import { scriptsWith } from '../policy/applyScripts.ts';
import { policyState } from '../policy/policyState.ts';
import { kernelTests } from './requirements.ts';

/** Once the last policy is deleted, the scripts of the same command remove what they loaded before, and nothing else. */
const test = kernelTests(['nft', 'iptables-nft', 'ipset']);

const withPolicy = 'fixtures/policy-scripts/swap-A.yaml';
const without = 'fixtures/policy-scripts/last-policy-removed.yaml';
const args = ['--node', 'node-1'];

async function inNamespace(use: (node: Namespace, run: (script: string) => Promise<string>) => Promise<void>) {
  const node = await openNamespace('node-1');
  try {
    await use(node, (script) => runIn(node, ['sh', '-s'], script));
  } finally {
    await node.close();
  }
}

for (const backend of ['iptables', 'nftables'] as const) {
  for (const script of ['apply', 'policy'] as const) {
    test(`${script}.sh of input without policies removes ours (${backend})`, async () => {
      await inNamespace(async (node, run) => {
        const options = { isPolicyOnly: script === 'policy', policy: { backend, node: 'node-1' } };
        // A namespace that never had rules is left as it is.
        const empty = (await scriptsWith({ ...options, isPolicyOnly: true }, [without], ...args)).policy;
        const before = await policyState(node);
        await run(empty);
        assert.equal(await policyState(node), before);
        await run((await scriptsWith(options, [withPolicy], ...args))[script]);
        assert.notEqual(await policyState(node), before);
        await run((await scriptsWith(options, [without], ...args))[script]);
        const after = await policyState(node);
        assert.doesNotMatch(after, /KUBE-(?:ROUTER|NWPLCY|POD-FW|SRC|DST)|k8snet/);
        if (script === 'policy') assert.equal(after, before);
      });
    });
  }

  test(`the rules of input without policies let everything pass (${backend})`, async () => {
    await inNamespace(async (node, run) => {
      const options = { isPolicyOnly: true, policy: { backend, node: 'node-1' } };
      await run((await scriptsWith(options, [withPolicy], ...args)).policy);
      const { texts } = await scriptsWith(options, [without], ...args);
      for (const [name, text] of texts) {
        if (name.endsWith('.nft')) await runIn(node, ['nft', '-f', '-'], text);
        if (name === 'policy.v4.restore') await runIn(node, ['iptables-nft-restore', '--noflush'], text);
      }
      assert.doesNotMatch(await policyState(node), /^-A KUBE-ROUTER|k8snet-netpol/m);
    });
  });
}

test("a kube-router's rules stay, unless its layout is asked for", async () => {
  await inNamespace(async (node, run) => {
    const policy = { backend: 'iptables', node: 'node-1' } as const;
    const kubeRouters = { isPolicyOnly: true, policy: { ...policy, layout: 'kube-router' } } as const;
    const clean = await policyState(node);
    await run((await scriptsWith(kubeRouters, [withPolicy], ...args)).policy);
    const loaded = await policyState(node);
    await run((await scriptsWith({ isPolicyOnly: true, policy }, [without], ...args)).policy);
    assert.equal(await policyState(node), loaded);
    await run((await scriptsWith(kubeRouters, [without], ...args)).policy);
    assert.equal(await policyState(node), clean);
  });
});
