import assert from 'node:assert/strict';
import { parseCidr } from '../../src/common/addresses/cidr.ts';
import type { PolicyOptions } from '../../src/emit/policy/policyOptions.ts';
import { openNamespace } from '../../src/lab/openNamespace.ts';
import { runIn } from '../../src/lab/runIn.ts';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { compilePolicies } from '../../src/output/policies/compilePolicies.ts';
import { kernelTests } from '../kernel/requirements.ts';
import { readManifests } from './readCase.ts';

/** Rules of every option load twice, and the kernel shows them as we say that it does. */
const test = kernelTests(['nft', 'iptables-nft', 'ipset']);
const podCIDRs = ['10.1.0.0/24', 'fd00:1::/64'].map(parseCidr).filter((cidr) => cidr !== undefined);

const choices: readonly PolicyOptions[] = [
  {},
  { deny: 'reject', logGroup: 5, icmp: 'allow' },
  { unknownPods: 'deny', podCIDRs, hairpin: 'policy' },
  { hook: 'postrouting', unknownPods: 'deny', podCIDRs, icmp: 'allow', logGroup: 0 },
  { layout: 'kube-router', unknownPods: 'deny', podCIDRs, syncVersion: '1700000000' },
];

for (const name of ['own-10-endport', 'own-12-ipblock-multi-except', 'own-15-dual-stack']) {
  const model = readPolicyModel(readManifests(`fixtures/networkpolicy/${name}/manifests.yaml`));
  for (const choice of choices) {
    test(`${name} with ${JSON.stringify(choice, (key, value) => (key === 'podCIDRs' ? 'given' : value))}`, async () => {
      const compiled = compilePolicies(
        model,
        { backends: ['nftables', 'iptables'], node: 'node-1', ...choice },
        ({ message }) => assert.fail(message),
      );
      const namespace = await openNamespace('node-1');
      try {
        for (let times = 0; times < 2; times += 1) {
          await runIn(namespace, ['sh'], compiled.nftablesScript);
          await runIn(namespace, ['sh'], compiled.iptablesScript);
        }
        for (const [family, text] of [
          ['ip', compiled.nftablesSave?.v4] as const,
          ['ip6', compiled.nftablesSave?.v6] as const,
        ]) {
          const listed = await runIn(namespace, ['nft', '-s', 'list', 'table', family, 'k8snet-netpol']);
          assert.equal(byLine(listed), byLine(text ?? ''));
        }
        for (const [tool, text] of [
          ['iptables-nft-save', compiled.iptablesSave?.v4] as const,
          ['ip6tables-nft-save', compiled.iptablesSave?.v6] as const,
        ]) {
          const saved = await runIn(namespace, [tool, '-t', 'filter']);
          if (text !== '') assert.equal(saved.replace(/^#.*\n/gm, ''), text);
        }
      } finally {
        await namespace.close();
      }
    });
  }
}

/** The kernel lists members of hash sets in an order of its own. */
function byLine(text: string): string {
  return text
    .split(/[\n,]/)
    .map((part) => part.trim().replace(/^elements = \{ | \}$/g, ''))
    .sort()
    .join('\n');
}
