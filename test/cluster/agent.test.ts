import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { stringify } from 'yaml';
import { runIn } from '../../src/lab/runIn.ts';
import { createDice } from '../kernel/walk/dice.ts';
import { createAgentAccount } from './agentRole.ts';
import type { Api } from './api.ts';
import { beginChurn, type Churn } from './churn.ts';
import { differencesIn, openAgent, type RunningAgent } from './openAgent.ts';
import { type Cluster, clusterCIDR, openCluster } from './openCluster.ts';
import { plantFault } from './plantFault.ts';
import { lacksCluster } from './programs.ts';
import { until } from './until.ts';

/**
 * Agents beside live kube-proxies, each in the network of its node with a Pod's account: churn without one false difference,
 * damage while it is there and no longer, and what becomes of them when others end. CHURN_ROUNDS says for how many rounds.
 */
const missing = lacksCluster(['1.36.3']);
const skip = missing !== undefined && process.env.K8SNET_REQUIRE_CLUSTER !== '1' ? missing : false;
const rounds = Number(process.env.CHURN_ROUNDS ?? 2);
const seed = Number(process.env.CHURN_SEED ?? 1);
const patience = 180_000;

suite('agents beside kube-proxies', { skip }, () => {
  const dice = createDice(seed);
  let cluster: Cluster;
  let churn: Churn;
  let agents: readonly RunningAgent[];

  before(async () => {
    cluster = await openCluster([
      { version: '1.36.3', mode: 'iptables' },
      { version: '1.36.3', mode: 'nftables' },
    ]);
    churn = await beginChurn(
      cluster.api,
      dice,
      cluster.nodes.map(({ name }) => name),
    );
    await churn.round();
    await tellSettings(cluster.api);
    const token = await createAgentAccount(cluster.api);
    const options = ['--interval', '2s', '--settle', '6s', '--events', '--condition'];
    agents = cluster.nodes.map((node) => openAgent(cluster, node, token, options));
    for (const agent of agents) await becomes(agent, 'in order', (metrics) => isInOrder(metrics));
  });
  after(async () => {
    for (const agent of agents ?? []) await agent.kill('SIGKILL');
    await cluster?.close();
  });

  test(`${rounds} rounds of churn bring no difference that counts`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const changes = await churn.round();
      for (const agent of agents) {
        const before = checksOf((await agent.metrics()) ?? new Map());
        await becomes(agent, `has looked after ${changes.join(', ')}`, (metrics) => checksOf(metrics) > before + 1);
      }
    }
    for (const agent of agents) {
      await becomes(agent, 'in order', isInOrder);
      assert.deepEqual(
        agent.log().filter(({ event }) => event !== undefined),
        [],
        agent.node.name,
      );
    }
  });

  test('damage counts until kube-proxy has written its rules again', async () => {
    for (const agent of agents) {
      const what = await plantFault(agent.node, dice);
      if (what === undefined) continue;
      await becomes(agent, `sees: ${what}`, (metrics) => differencesIn(metrics) > 0);
      assert.match(await agent.get('/readyz'), /ok/);
      await agent.node.restart();
      await becomes(agent, `sees the repair of: ${what}`, isInOrder);
      const events = agent.log().flatMap(({ event }) => event ?? []);
      assert.ok(events.includes('begin') && events.includes('end'), events.join());
    }
  });

  test('Events tell of each finding once, and a condition how the Node is', async () => {
    const { items } = (await cluster.api.get('/apis/events.k8s.io/v1/namespaces/default/events')) as {
      readonly items: readonly { readonly reason: string; readonly regarding: { readonly name: string } }[];
    };
    for (const { node, log } of agents) {
      const own = items.filter(({ regarding, reason }) => regarding.name === node.name && /Rules/.test(reason));
      const begun = new Set(
        log().flatMap(({ event, finding, service }) => (event === 'begin' ? `${finding} ${service}` : [])),
      );
      assert.equal(own.filter(({ reason }) => reason === 'KubeProxyRulesDrift').length, begun.size);
      const { status } = (await cluster.api.get(`/api/v1/nodes/${node.name}`)) as {
        readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
      };
      const condition = status.conditions.find(({ type }) => type === 'KubeProxyRulesDrift');
      assert.equal(condition?.status, 'False');
    }
  });

  test('while kube-proxy is stopped, rules that stay behind count', async () => {
    const [agent] = agents as [RunningAgent];
    await agent.node.stop();
    const services = '/api/v1/namespaces/shop/services';
    await cluster.api.create(services, { metadata: { name: 'late' }, spec: { ports: [{ port: 80 }] } });
    await becomes(agent, 'sees that rules are behind', (metrics) => differencesIn(metrics) > 0);
    await agent.node.restart();
    await becomes(agent, 'in order', isInOrder);
    await cluster.api.remove(`${services}/late`);
  });

  test('while the API server cannot be reached nothing new counts, and nothing is lost', async () => {
    const [agent] = agents as [RunningAgent];
    const number = agent.node.name.slice(1);
    const { server } = cluster.plane;
    await runIn(
      server,
      ['nft', '-f', '-'],
      `table inet wall { chain in { type filter hook input priority 0; ip saddr 192.168.77.1${number} tcp dport 6443 drop; }; }\n`,
    );
    await becomes(agent, 'knows that it knows nothing', (metrics) => unknownOf(metrics, 'objects') > 0);
    const what = await plantFault(agent.node, dice);
    const before = (await agent.metrics())?.get('k8snet_checks_total{result="unknown"}') ?? 0;
    await becomes(agent, 'looks on', (metrics) => (metrics.get('k8snet_checks_total{result="unknown"}') ?? 0) > before);
    assert.equal(differencesIn((await agent.metrics()) ?? new Map()), 0);
    assert.match(await agent.get('/readyz'), /objects unknown since/);
    await runIn(server, ['nft', 'delete', 'table', 'inet', 'wall']);
    if (what !== undefined) await becomes(agent, `sees: ${what}`, (metrics) => differencesIn(metrics) > 0);
    await agent.kill('SIGKILL');
    agent.start();
    if (what !== undefined) await becomes(agent, `sees again: ${what}`, (metrics) => differencesIn(metrics) > 0);
    await agent.node.restart();
    await becomes(agent, 'in order', isInOrder);
  });

  test('the metrics are what Prometheus wants, and SIGTERM ends the agent', async () => {
    const [agent] = agents as [RunningAgent];
    const text = await agent.get('/metrics');
    assert.match(text, /^k8snet_build_info\{version="[^"]+"\} 1$/m);
    if (existsSync('/usr/bin/promtool')) {
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
      assert.equal(status, 0, `${stdout}${stderr}`);
    }
    assert.match(await agent.get('/report'), /reports are not served/);
    assert.equal(await agent.kill('SIGTERM'), 0);
    assert.equal(agent.log().at(-1)?.message, 'the agent ends');
  });
});

/**
 * The ConfigMap that kubeadm makes. Without it an agent learns the range of Pods from the rules, and cannot tell that the
 * only one which names it was lost.
 */
async function tellSettings(api: Api): Promise<void> {
  const config = { apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration', clusterCIDR };
  await api.create('/api/v1/namespaces/kube-system/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kube-proxy', namespace: 'kube-system' },
    data: { 'config.conf': stringify(config) },
  });
}

type Metrics = ReadonlyMap<string, number>;

async function becomes(agent: RunningAgent, what: string, holds: (metrics: Metrics) => boolean): Promise<void> {
  let last: Metrics | undefined;
  const told = () => {
    const lines = agent
      .log()
      .slice(-12)
      .map((line) => JSON.stringify(line));
    const seen = [...(last ?? [])].filter(([name]) => /^k8snet_(?!check_dur)/.test(name)).map((pair) => pair.join(' '));
    return `${agent.node.name} ${what}:\n${lines.join('\n')}\n${seen.join('\n')}`;
  };
  // An agent looks every two seconds; each look at it starts programs.
  const pause = 500;
  const sees = async () => {
    last = await agent.metrics();
    return last !== undefined && holds(last);
  };
  await until(told, patience, sees, pause);
}

function isInOrder(metrics: Metrics): boolean {
  const { same = 0, differs, missing: none, changing } = statesOf(metrics);
  const isKnown = ['objects', 'rules', 'comparison'].every((what) => unknownOf(metrics, what) === 0);
  return (
    isKnown &&
    same > 0 &&
    differs === 0 &&
    none === 0 &&
    changing === 0 &&
    differencesIn(metrics) === 0 &&
    metrics.get('k8snet_rules_behind_seconds') === 0
  );
}

function statesOf(metrics: Metrics): Readonly<Record<string, number>> {
  const states: Record<string, number> = {};
  for (const [name, value] of metrics) {
    const state = /^k8snet_services\{state="(\w+)"\}$/.exec(name)?.[1];
    if (state !== undefined) states[state] = value;
  }
  return states;
}

function unknownOf(metrics: Metrics, what: string): number {
  return metrics.get(`k8snet_unknown_seconds{what="${what}"}`) ?? Number.NaN;
}

function checksOf(metrics: Metrics): number {
  return [...metrics].reduce((sum, [name, value]) => sum + (name.startsWith('k8snet_checks_total{') ? value : 0), 0);
}
