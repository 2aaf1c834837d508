import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { machine } from '../../src/lab/openLab.ts';
import { runIn } from '../../src/lab/runIn.ts';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { kernelTests } from '../kernel/requirements.ts';
import { applyScripts } from './applyScripts.ts';
import { openPolicyLab } from './policyLab.ts';
import { hasServices, readManifests, readProbes } from './readCase.ts';

/** Cases in which packets go to Services: kube-proxy's rules and the policies of every node, by the apply.sh of users. */
const root = 'fixtures/networkpolicy';
const tests = { iptables: kernelTests(['iptables-nft', 'ipset']), nftables: kernelTests(['nft']) };

for (const name of readdirSync(root).filter((each) => hasServices(readProbes(`${root}/${each}`)))) {
  for (const mode of ['iptables', 'nftables'] as const) {
    tests[mode](`packets to Services meet the expected verdicts of ${name} (${mode})`, async () => {
      const file = `${root}/${name}/manifests.yaml`;
      const { lab, wrongProbes } = await openPolicyLab(
        readPolicyModel(readManifests(file)),
        readProbes(`${root}/${name}`),
      );
      try {
        for (const { name: node } of lab.network.nodes) {
          const { apply } = await applyScripts([file], '--node', node, '--mode', mode);
          await runIn(machine(lab, node), ['sh', '-s'], apply);
        }
        assert.deepEqual(await wrongProbes(), []);
      } finally {
        await lab.close();
      }
    });
  }
}
