import assert from 'node:assert/strict';
import { runCli } from '../support/runCli.ts';
import { kernelTests } from './requirements.ts';

/** A few recorded scenarios as clusters: what packets do is what the walk says. `scripts/compareLabs.ts` has all of them. */
const scenarios = ['nodeport-etp-local', 'noendpoints-all-types', 'lb-source-ranges-node'] as const;

kernelTests(['iptables', 'nft', 'ipset'])('scenarios as clusters go the way that the walk says', () => {
  for (const name of scenarios) {
    for (const mode of ['iptables', 'nftables']) {
      const folder = `fixtures/services/${name}`;
      const target = ['--node', 'node-1', '--node-ip', '192.168.10.1', '--kube-version', '1.30', '--mode', mode];
      const { status, stdout, stderr } = runCli(['lab', '-f', `${folder}/manifests.yaml`, ...target, '--compare']);
      assert.equal(status, 0, `${name} ${mode}\n${stdout}${stderr}`);
      assert.match(stdout, /\d+ probes: kernel and walk agree$/m);
    }
  }
});
