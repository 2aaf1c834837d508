import assert from 'node:assert/strict';
import { type Lab, machine, openLab } from '../../src/lab/openLab.ts';
import { runProbes } from '../../src/lab/probes/runProbes.ts';
import { runIn } from '../../src/lab/runIn.ts';
import { nodeFiles } from '../../src/output/nodeFiles.ts';
import { manifestsOf } from '../policy/readCase.ts';
import { type CompiledScenario, compileScenario } from './compiledScenario.ts';
import { checkFlows, type Flow } from './flows.ts';
import { kernelTests } from './requirements.ts';
import { clients, serviceScenarios } from './serviceScenarios.ts';

/** kube-proxy's rules and policies on one node, loaded by one apply.sh: each still does its part. */
const tests = { iptables: kernelTests(['iptables-nft', 'ipset']), nftables: kernelTests(['nft']) };
for (const mode of ['iptables', 'nftables'] as const) {
  tests[mode](`policies leave the source ranges of load balancers alone (${mode})`, async () => {
    await withRules('lb-source-ranges', mode, async (lab, scenario) => {
      assert.deepEqual(await checkFlows(lab, scenario.node, flowsOf('lb-source-ranges', mode, false)), []);
      const [direct] = await runProbes(lab, [{ from: 'pod', to: '10.244.1.10', port: 8443, timeoutMs: 400 }]);
      assert.deepEqual(direct, [{ kind: 'timeout' }]);
    });
  });

  tests[mode](`policies leave Services without endpoints to kube-proxy's refusal (${mode})`, async () => {
    await withRules('noendpoints-all-types', mode, async (lab, scenario) => {
      assert.deepEqual(await checkFlows(lab, scenario.node, flowsOf('noendpoints-all-types', mode, true)), []);
    });
  });
}

async function withRules(
  name: string,
  mode: 'iptables' | 'nftables',
  use: (lab: Lab, scenario: CompiledScenario) => Promise<void>,
): Promise<void> {
  const scenario = await compileScenario(name, mode, clients);
  const { compiled, node } = scenario;
  const { networkPolicies, namespaces, pods } = manifestsOf([
    { kind: 'Namespace', metadata: { name: 'default' } },
    pod('private', '10.244.1.10'),
    // A Pod whose traffic goes through its chain and is allowed.
    pod('client', scenario.network.pods.find((each) => each.name === 'pod')?.addresses[0] ?? assert.fail('no pod')),
    {
      kind: 'NetworkPolicy',
      metadata: { name: 'not-from-pods' },
      spec: {
        podSelector: { matchLabels: { app: 'private' } },
        ingress: [{ from: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.244.0.0/16'] } }] }],
      },
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
  const lab = await openLab(scenario.network);
  try {
    for (let times = 0; times < 2; times += 1) await runIn(machine(lab, node.name), ['sh', '-s'], text);
    await use(lab, scenario);
  } finally {
    await lab.close();
  }

  function pod(name: string, podIP: string) {
    return {
      kind: 'Pod',
      metadata: { name, labels: { app: name } },
      spec: { nodeName: node.name },
      status: { podIP, phase: 'Running' },
    };
  }
}

function flowsOf(name: string, mode: 'iptables' | 'nftables', isFromPods: boolean): readonly Flow[] {
  const { flows } = serviceScenarios.find((each) => each.name === name) ?? assert.fail(name);
  return flows
    .filter(({ from }) => (from === 'pod') === isFromPods)
    .map(({ nftables, ipvs, ...flow }) => ({ ...flow, expect: (mode === 'nftables' && nftables) || flow.expect }));
}
