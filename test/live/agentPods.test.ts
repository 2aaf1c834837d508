import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterApi } from '../../src/live/clusterApi.ts';
import { findAgentPods } from '../../src/live/node/findAgentPods.ts';
import { nodeOpener, type Via } from '../../src/live/node/openNode.ts';
import { printedRules, readPrintedRules } from '../../src/live/node/printedRules.ts';
import { readNode } from '../../src/live/node/readNode.ts';

const agentPod = (node: string, more: object = {}, args: readonly string[] = ['agent']) => ({
  metadata: { name: `agent-${node}`, namespace: 'k8snet' },
  spec: {
    nodeName: node,
    containers: [
      { name: 'agent', args, env: [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } }] },
    ],
  },
  status: { phase: 'Running', hostIP: '192.0.2.7', ...more },
});
const proxyPod = (node: string) => ({
  metadata: { name: `kube-proxy-${node}`, namespace: 'kube-system', labels: { 'k8s-app': 'kube-proxy' } },
  spec: { nodeName: node, containers: [{ name: 'kube-proxy' }] },
  status: { phase: 'Running' },
});

/** Lists of Pods: those of agents in all namespaces, those of kube-proxy in its own. */
function serverWith(agents: readonly object[] | 'Forbidden'): ClusterApi {
  return {
    name: 'cluster test',
    get: async (path) => {
      const isAgents = path.includes('labelSelector=app.kubernetes.io%2Fname%3Dk8snet-agent');
      if (isAgents && agents === 'Forbidden') return { kind: 'refused', reason: 'Forbidden', message: 'no' };
      const items = isAgents ? agents : [proxyPod('n1'), proxyPod('n2')];
      return { kind: 'found', text: JSON.stringify({ metadata: { resourceVersion: '1' }, items }) };
    },
    follow: async () => ({ kind: 'found', text: '' }),
  };
}

async function wayTo(node: string, via: Via, agents: readonly object[] | 'Forbidden') {
  const said: string[] = [];
  const access = await nodeOpener(via, {}, async () => serverWith(agents))(node, ({ message }) => said.push(message));
  return { name: access?.name, reader: access?.reader?.('rules').join(' '), said };
}

test('a node is read through its agent, and without one through kube-proxy’s Pod', async () => {
  const agents = [agentPod('n1'), agentPod('n2', { phase: 'Pending' })];
  const first = await wayTo('n1', { kind: 'usual' }, agents);
  assert.equal(first.name, 'Pod k8snet/agent-n1');
  assert.match(
    String(first.reader),
    /exec --namespace=k8snet agent-n1 --container=agent -- k8snet agent --node=n1 --print=rules$/,
  );
  assert.equal((await wayTo('n2', { kind: 'usual' }, agents)).name, 'Pod kube-system/kube-proxy-n2');
  assert.equal((await wayTo('n1', { kind: 'usual' }, 'Forbidden')).name, 'Pod kube-system/kube-proxy-n1');
  assert.equal((await wayTo('n1', { kind: 'pod' }, agents)).name, 'Pod kube-system/kube-proxy-n1');
});

test('where all Pods were read, agents and kube-proxy are found among them', async () => {
  const labels = { 'app.kubernetes.io/name': 'k8snet-agent' };
  const agent = agentPod('n1');
  const pods = [{ ...agent, metadata: { ...agent.metadata, labels } }, agentPod('n2'), proxyPod('n1'), proxyPod('n2')];
  const objects = pods.map((value) => {
    const file = `cluster test: Pod ${value.metadata.namespace}/${value.metadata.name}`;
    return { apiVersion: 'v1', kind: 'Pod', value, origin: { file, document: 0, path: [] } };
  });
  const asked: string[] = [];
  const server: ClusterApi = {
    ...serverWith([]),
    get: async (path) => {
      asked.push(path);
      return serverWith(pods.slice(0, 2)).get(path);
    },
  };
  const way = async (node: string, hasAllPods: boolean) => {
    const open = nodeOpener(
      { kind: 'usual' },
      {},
      async () => server,
      () => ({ objects, hasAllPods }),
    );
    return (await open(node, () => {}))?.name;
  };
  assert.equal(await way('n1', true), 'Pod k8snet/agent-n1');
  assert.equal(await way('n2', true), 'Pod kube-system/kube-proxy-n2');
  assert.deepEqual(asked, []);
  assert.equal(await way('n2', false), 'Pod k8snet/agent-n2');
  assert.equal(asked.length, 1);
});

test('--via agent names why there is no way', async () => {
  const lacking = await wayTo('n2', { kind: 'agent' }, [agentPod('n1')]);
  assert.match(lacking.said.join(), /no running Pod of k8snet's agent/);
  const refused = await wayTo('n2', { kind: 'agent' }, 'Forbidden');
  assert.match(refused.said.join(), /may not list pods/);
});

test('where an agent listens is read off its Pod', async () => {
  const words = ['agent', '--listen', '$(IP):9965', '--tls-cert=/tls/crt'];
  const pods = await findAgentPods(serverWith([agentPod('n1', {}, words)]));
  assert.ok(!('kind' in pods));
  assert.deepEqual(pods[0]?.listening, ['--listen=192.0.2.7:9965', '--tls-cert=/tls/crt']);
});

test('what an agent prints of its node is read as what the programs there printed', async () => {
  const command = { where: 'node' as const, file: 'dumps/nft.txt' as const, words: ['nft'], what: 'rules' };
  const reading = { answers: [{ command, bytes: Buffer.from('table ip nat {\n}\n') }], failed: new Set<string>() };
  const text = JSON.stringify(
    printedRules(reading, [{ code: 'node-half-read', severity: 'warning', message: 'half', at: [] }]),
  );
  assert.equal(readPrintedRules(text.slice(0, -2)), undefined);
  const said: string[] = [];
  const access = { name: 'Pod a/b', shell: ['false'], hint: '', reader: () => ['printf', '%s', text] };
  const texts = await readNode('n1', access, [command], 5000, ({ message }) => said.push(message));
  assert.deepEqual(texts, [{ command, text: 'table ip nat {\n}\n' }]);
  assert.deepEqual(said, ['half']);
});
