import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runIn } from '../../src/lab/runIn.ts';
import { cliCommand, type Ended, runCli } from '../support/runCli.ts';
import type { ProxyNode } from './openCluster.ts';
import { openPodCluster, type PodCluster } from './openPodCluster.ts';
import { lacksKubelet } from './programs.ts';
import { until } from './until.ts';

/**
 * Nodes that are read by exec into real Pods on real kubelets, beside live kube-proxies: through the Pod of kube-proxy, and
 * through a Pod that is made for it. The Pods have the programs of this machine, as kube-proxy's image has its own.
 */
const lacks = lacksKubelet(['1.36.3']);
if (process.env.K8SNET_REQUIRE_CLUSTER === '1' && lacks !== undefined) throw new Error(lacks);
const skip = lacks ?? false;

let cluster: PodCluster;

before(async () => {
  if (skip) return;
  cluster = await openPodCluster([
    { version: '1.36.3', mode: 'iptables' },
    { version: '1.36.3', mode: 'nftables' },
  ]);
  await apply(proxyPod('n1', programs), proxyPod('n2', programs), ...shop);
  for (const pod of ['kube-proxy-n1', 'kube-proxy-n2']) await ready(pod);
  for (const [node, text] of [
    [0, 'shop/web:http'],
    [1, 'shop/web/tcp/http'],
  ] as const)
    await until(`node ${node} has rules of the Service`, 60_000, async () => {
      const { namespace } = cluster.nodes[node] as ProxyNode;
      const rules = await runIn(namespace, ['sh', '-c', 'iptables-save; nft list ruleset']);
      return rules.includes(text);
    });
});

after(async () => {
  await cluster?.close();
});

const shop = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { clusterIP: '10.96.0.80', ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'web-1', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: [{ addresses: ['10.244.1.55'], nodeName: 'n1', conditions: { ready: true } }],
  },
];

interface Mount {
  readonly name: string;
  readonly path: string;
  /** Of the machine; default: the same path. */
  readonly from?: string;
}

/** Where the programs of a Debian lie. */
const programs: readonly Mount[] = ['/usr', '/lib', '/lib64'].map((path) => ({
  name: `host${path.replace('/', '-')}`,
  path,
}));

/** What a DaemonSet of kube-proxy makes on a node. */
function proxyPod(node: string, mounts: readonly Mount[], name = `kube-proxy-${node}`): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'kube-system', labels: { 'k8s-app': 'kube-proxy' } },
    spec: {
      nodeName: node,
      hostNetwork: true,
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          name: 'kube-proxy',
          image: 'localhost/pod:1',
          imagePullPolicy: 'Never',
          args: ['sh', '-c', 'sleep 100000'],
          env: [{ name: 'PATH', value: '/usr/sbin:/usr/bin:/bin' }],
          securityContext: { privileged: true },
          volumeMounts: mounts.map(({ name: volume, path }) => ({ name: volume, mountPath: path, readOnly: true })),
        },
      ],
      volumes: mounts.map(({ name: volume, path, from }) => ({ name: volume, hostPath: { path: from ?? path } })),
    },
  };
}

async function apply(...items: readonly object[]): Promise<void> {
  await cluster.kubectl(['apply', '--filename=-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

async function ready(pod: string): Promise<void> {
  await cluster.settled(['-n', 'kube-system', 'wait', '--for=condition=Ready', `pod/${pod}`]);
}

async function remove(pod: string): Promise<void> {
  await cluster.kubectl(['-n', 'kube-system', 'delete', 'pod', pod, '--wait']);
}

function environment(): Record<string, string> {
  return {
    PATH: `${cluster.plane.programs}:${process.env.PATH ?? ''}`,
    KUBECONFIG: join(cluster.plane.folder, 'kubeconfig'),
  };
}

function live(...args: readonly string[]): Ended {
  return runCli(args, { environment: environment() });
}

test('nodes of both modes are read through the Pod of kube-proxy, and are in order', { skip }, () => {
  for (const node of ['node/n1', 'node/n2']) {
    const { status, stdout, stderr } = live('diff', '--live', node, '--via', 'pod');
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /Services?: \d+ same/);
  }
  const { status, stdout, stderr } = live('check-service', 'shop/web', '--live');
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /node n1 .*: as they should be/);
  assert.match(stdout, /node n2 .*: as they should be/);
});

test('a chain that was lost on a node is the cause, by the name of the Service alone', { skip }, async () => {
  const { namespace } = cluster.nodes[0] as ProxyNode;
  const chains = await runIn(namespace, ['sh', '-c', 'iptables-save -t nat']);
  const chain = /^:(KUBE-SVC-\S+)/m.exec(chains.split('\n').find((line) => line.startsWith(':KUBE-SVC-')) ?? '')?.[1];
  const name = /-A KUBE-SERVICES .*shop\/web:http cluster IP.* -j (KUBE-SVC-\S+)/.exec(chains)?.[1] ?? chain ?? '';
  await runIn(namespace, ['iptables', '-t', 'nat', '-F', name]);
  const { status, stdout, stderr } = live('check-service', 'shop/web', '--live', '--via', 'pod');
  assert.equal(status, 1, stdout + stderr);
  assert.match(stdout, new RegExp(name));
  assert.match(stdout, /\bn1\b/);
});

test('a Pod without programs says so, and its node is not called fine', { skip }, async () => {
  await remove('kube-proxy-n2');
  await apply(proxyPod('n2', []));
  await ready('kube-proxy-n2');
  const { status, stdout, stderr } = live('diff', '--live', 'node/n2', '--via', 'pod');
  assert.equal(status, 5, stdout + stderr);
  assert.match(stderr, /no program there printed any rules/);
});

test('a Pod without nft on a node of nftables mode: its rules are unknown, and not lost', { skip }, async () => {
  await remove('kube-proxy-n2');
  await apply(proxyPod('n2', [...programs, { name: 'no-nft', path: '/usr/sbin/nft', from: '/dev/null' }]));
  await ready('kube-proxy-n2');
  for (const words of [
    ['diff', '--live', 'node/n2'],
    ['check-service', 'shop/web', '--live', 'node/n2'],
  ]) {
    const { status, stdout, stderr } = live(...words, '--via', 'pod');
    assert.ok(status === 3 || status === 5, stdout + stderr);
    assert.match(stdout + stderr, /nft/);
  }
});

test('a Pod whose image is not there cannot be entered', { skip }, async () => {
  await remove('kube-proxy-n2');
  const pod = proxyPod('n2', []) as { readonly spec: { readonly containers: { image: string }[] } };
  for (const container of pod.spec.containers) container.image = 'localhost/none:1';
  await apply(pod);
  const { status, stdout, stderr } = live('diff', '--live', 'node/n2', '--via', 'pod');
  assert.equal(status, 5, stdout + stderr);
  assert.match(stderr, /n2/);
  await remove('kube-proxy-n2');
});

const ofDebug = ['get', 'pods', '--all-namespaces', '--output=name'];

test('a Pod that is made for it reads a node, and is gone afterwards', { skip }, async () => {
  const before = await cluster.kubectl(ofDebug);
  const { status, stdout, stderr } = live('diff', '--live', 'node/n1', '--via', 'debug:localhost/pod:1');
  assert.ok(status === 1 || status === 0 || status === 5, stdout + stderr);
  await until('the Pod is gone', 60_000, async () => (await cluster.kubectl(ofDebug)) === before);
});

test('after Ctrl-C it is gone too', { skip }, async () => {
  const before = await cluster.kubectl(ofDebug);
  const [program = '', ...words] = cliCommand;
  const args = [...words, 'diff', '--live', 'node/n1', '--via', 'debug:localhost/pod:1'];
  const run = spawn(program, args, { env: { ...process.env, ...environment() }, stdio: 'ignore' });
  await until('the Pod is made', 60_000, async () => (await cluster.kubectl(ofDebug)) !== before);
  run.kill('SIGINT');
  await once(run, 'exit');
  await until('the Pod is gone', 60_000, async () => (await cluster.kubectl(ofDebug)) === before);
});

test('a node whose kubelet is gone is named, and the others are judged', { skip }, async () => {
  await cluster.kubelets[0]?.close();
  const { status, stdout, stderr } = live('check-service', 'shop/web', '--live', '--via', 'pod');
  assert.equal(status, 5, stdout + stderr);
  assert.match(stdout + stderr, /n1/);
});
