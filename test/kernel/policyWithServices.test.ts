import assert from 'node:assert/strict';
import { nodeFiles } from '../../src/output/nodeFiles.ts';
import { manifestsOf } from '../policy/readCase.ts';
import { compileScenario } from './compiledScenario.ts';
import { checkFlows } from './flows.ts';
import { runProbes } from './probe.ts';
import { kernelTests } from './requirements.ts';
import { runIn } from './runIn.ts';
import { clients, serviceScenarios } from './serviceScenarios.ts';
import { machine, openLab } from './topology.ts';

/** kube-proxy's rules and policies on one node, loaded by one apply.sh: each still does its part. */
const tests = { iptables: kernelTests(['iptables-nft', 'ipset']), nftables: kernelTests(['nft']) };
const name = 'lb-source-ranges';

for (const mode of ['iptables', 'nftables'] as const) {
  tests[mode](`policies leave the source ranges of load balancers alone (${mode})`, async () => {
    const scenario = await compileScenario(name, mode, clients);
    const { compiled, node } = scenario;
    const { networkPolicies, namespaces, pods } = manifestsOf([
      { kind: 'Namespace', metadata: { name: 'default' } },
      {
        kind: 'Pod',
        metadata: { name: 'private', labels: { app: 'private' } },
        spec: { nodeName: node.name },
        status: { podIP: '10.244.1.10', phase: 'Running' },
      },
      {
        kind: 'NetworkPolicy',
        metadata: { name: 'not-from-pods' },
        spec: { ingress: [{ from: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.244.0.0/16'] } }] }] },
      },
    ]);
    const { nodes } = compiled.policyManifests;
    const files = await nodeFiles(
      { ...compiled, policyManifests: { networkPolicies, namespaces, pods, nodes } },
      { hasNfacct: false, policy: { backend: undefined, node: node.name }, isPolicyOnly: false },
      () => undefined,
    );
    const script = files.all.find((file) => file.name === 'apply.sh');
    const text = [...(script?.text() ?? [])].join('');
    const lab = await openLab(scenario.topology);
    try {
      for (let times = 0; times < 2; times += 1) await runIn(machine(lab, node.name), ['sh', '-s'], text);
      const flows = serviceScenarios.find((each) => each.name === name)?.flows.filter(({ from }) => from !== 'pod');
      assert.deepEqual(await checkFlows(lab, node, flows ?? assert.fail(name)), []);
      const [direct] = await runProbes(lab, [{ from: 'pod', to: '10.244.1.10', port: 8443, timeoutMs: 400 }]);
      assert.deepEqual(direct, [{ kind: 'timeout' }]);
    } finally {
      await lab.close();
    }
  });
}
