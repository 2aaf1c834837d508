import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createDice } from '../kernel/walk/dice.ts';
import { type Ended, runCliBeside } from '../support/runCli.ts';
import { beginChurn } from './churn.ts';
import { type Cluster, openCluster } from './openCluster.ts';
import { lacksCluster } from './programs.ts';
import { createProxyPods } from './proxyPods.ts';
import { until } from './until.ts';

/**
 * Objects change all the time beside healthy kube-proxies. A Service that stays as it is is in order throughout; of one that
 * changes, no node is blamed for what it had no time to write.
 */
const missing = lacksCluster(['1.36.3']);
const skip = missing !== undefined && process.env.K8SNET_REQUIRE_CLUSTER !== '1' ? missing : false;
const seed = Number(process.env.CHURN_SEED ?? 1);
const asks = 3 * Number(process.env.CHURN_ROUNDS ?? 2);

suite('check-service while objects change', { skip }, () => {
  let cluster: Cluster;
  let isOver = false;
  let churned: Promise<void>;
  const changes: string[] = [];
  const dice = createDice(seed);

  before(async () => {
    cluster = await openCluster([
      { version: '1.36.3', mode: 'iptables' },
      { version: '1.36.3', mode: 'nftables' },
    ]);
    await createProxyPods(cluster);
    const names = cluster.nodes.map(({ name }) => name);
    const churn = await beginChurn(cluster.api, dice, names);
    for (const at of [1, 2]) await createSteady(cluster, `steady-${at}`, at);
    await until('the Services that stay are in order', 60_000, async () => {
      const ended = await Promise.all([ask('shop/steady-1'), ask('shop/steady-2')]);
      return ended.every(({ status }) => status === 0);
    });
    const go = async () => {
      while (!isOver) {
        changes.push(...(await churn.round()));
        await setTimeout(400);
      }
    };
    churned = go();
    // Who waits for it hears of a failure; it is none before.
    churned.catch(() => {});
  });
  after(async () => {
    isOver = true;
    await churned?.catch(() => {});
    await cluster?.close();
  });

  const ask = (name: string) => run('check-service', name);
  const run = (...question: readonly string[]): Promise<Ended> => {
    const { programs, folder } = cluster.plane;
    const environment = { PATH: `${programs}:${process.env.PATH}`, KUBECONFIG: join(folder, 'kubeconfig') };
    return runCliBeside([...question, '--live', '-o', 'json'], { environment });
  };

  test('a Service that stays as it is is in order', async () => {
    for (let at = 0; at < asks; at += 1) {
      const { status, stdout, stderr } = await ask(`shop/steady-${1 + (at % 2)}`);
      assert.equal(status, 0, `seed ${seed}, after ${changes.slice(-8).join('\n')}\n${stdout}${stderr}`);
    }
  });

  test('of a Service that changes no node is blamed', async () => {
    let changing = 0;
    for (let at = 0; at < asks || (changing === 0 && at < 20 * asks); at += 1) {
      const name = `${dice.pick(['default', 'shop'])}/svc-${dice.below(10)}`;
      const { status, stdout, stderr } = await ask(name);
      const said = `seed ${seed}, ${name}, after ${changes.slice(-8).join('\n')}\n${stdout}${stderr}`;
      assert.ok(status === 0 || status === 1 || status === 3, said);
      const { causes, remarks } = JSON.parse(stdout) as Page;
      const blamed = causes.filter(({ nodes, isCertain }) => nodes.length > 0 && isCertain);
      assert.deepEqual(blamed, [], said);
      if (remarks.some(({ text }) => text.includes('changed while this was read'))) changing += 1;
    }
    assert.ok(changing > 0, `none was changing, among ${changes.length} changes`);
  });

  test('nodes differ in nothing that kube-proxy had no time to write', async () => {
    for (let at = 0; at < asks / 2; at += 1) {
      const { status, stdout, stderr } = await run('diff', `node/n${1 + (at % 2)}`);
      const said = () => (JSON.parse(stdout) as Report).findings.map((finding) => JSON.stringify(finding));
      const told = status === 1 ? said().join('\n') : stdout;
      assert.equal(status, 0, `seed ${seed}, after ${changes.slice(-8).join('\n')}\n${told}\n${stderr}`);
    }
    isOver = true;
    await churned;
  });
});

interface Report {
  readonly findings: readonly object[];
}

interface Page {
  readonly causes: readonly { readonly nodes: readonly string[]; readonly isCertain: boolean }[];
  readonly remarks: readonly { readonly text: string }[];
}

async function createSteady({ api }: Cluster, name: string, at: number): Promise<void> {
  await api.create('/api/v1/namespaces/shop/services', {
    metadata: { name },
    spec: { ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  });
  await api.create('/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices', {
    metadata: { name: `${name}-1`, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: [{ addresses: [`10.244.${at}.250`], nodeName: `n${at}`, conditions: { ready: true } }],
  });
}
