import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import type { Ran } from '../../src/lab/outputOf.ts';
import { runIn, tryIn } from '../../src/lab/runIn.ts';
import { agentMetrics } from '../deploy/agentMetrics.ts';
import { createDice } from '../kernel/walk/dice.ts';
import { root } from '../support/compileCase.ts';
import { beginChurn, type Churn } from './churn.ts';
import { imageArchive, imageName, lacksImage } from './image.ts';
import type { ProxyNode } from './openCluster.ts';
import { openPodCluster, type PodCluster } from './openPodCluster.ts';
import { kubectlProgram, lacksKubelet } from './programs.ts';
import { until } from './until.ts';

/**
 * The agent as users run it: our image, started by the DaemonSet of `deploy/` on real kubelets, beside live kube-proxies of
 * both modes, with the rights of `deploy/` and no more. CHURN_ROUNDS and CHURN_SEED say for how long objects
 * change, and how.
 */
const lacks = lacksKubelet(['1.36.3']) ?? lacksImage();
if (process.env.K8SNET_REQUIRE_CLUSTER === '1' && lacks !== undefined) throw new Error(lacks);
const skip = lacks ?? false;

const rounds = Number(process.env.CHURN_ROUNDS ?? 4);

let cluster: PodCluster;
let churn: Churn;
let folder: string;

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'k8snet-agent-'));
  cluster = await openPodCluster(
    [
      { version: '1.36.3', mode: 'iptables' },
      { version: '1.36.3', mode: 'nftables' },
    ],
    { images: [imageArchive()], isAudited: true },
  );
  churn = await beginChurn(
    cluster.api,
    createDice(Number(process.env.CHURN_SEED ?? 1)),
    cluster.nodes.map(({ name }) => name),
  );
  await apply(proxyConfig, ...shop);
});

after(async () => {
  await cluster?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** As kubeadm leaves it, as far as it decides what rules look like. */
const proxyConfig = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kube-proxy', namespace: 'kube-system' },
  data: {
    'config.conf':
      'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nclusterCIDR: 10.244.0.0/16,fd00:10::/32\n',
  },
};

const shop = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { type: 'NodePort', ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'web-1', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: [
      { addresses: ['10.244.1.55'], nodeName: 'n1', conditions: { ready: true } },
      { addresses: ['10.244.2.56'], nodeName: 'n2', conditions: { ready: true } },
    ],
  },
];

async function apply(...items: readonly object[]): Promise<void> {
  await cluster.kubectl(['apply', '--filename=-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

/** Puts the agent on all nodes, with components of `deploy/`, and waits until it is ready there. */
async function install(...components: readonly string[]): Promise<void> {
  const own = mkdtempSync(join(folder, 'k-'));
  const path = (to: string) => relative(own, join(root, 'deploy', to));
  const [newName, newTag] = imageName.split(/:(?=[^/]*$)/);
  const argument = '/spec/template/spec/containers/0/args/-';
  const interval = JSON.stringify(
    ['--interval=2s', '--settle=3s'].map((value) => ({ op: 'add', path: argument, value })),
  );
  const kustomization = {
    resources: [path('base')],
    components: components.map((name) => path(`components/${name}`)),
    images: [{ name: 'k8snet', newName, newTag }],
    patches: [{ target: { kind: 'DaemonSet' }, patch: interval }],
  };
  writeFileSync(join(own, 'kustomization.yaml'), JSON.stringify(kustomization));
  const manifests = execFileSync(kubectlProgram, ['kustomize', own], { encoding: 'utf8' });
  await cluster.kubectl(['apply', '--filename=-'], manifests);
  await cluster
    .settled(['-n', 'k8snet', 'rollout', 'status', 'daemonset/k8snet-agent'])
    .catch(async (problem: Error) => {
      const logs = await cluster.kubectl(['-n', 'k8snet', 'logs', '--selector=app.kubernetes.io/name=k8snet-agent']);
      throw new Error(`${problem.message}\n${logs}`);
    });
}

/** What a node's agent answers on the node itself. */
async function asked({ namespace }: ProxyNode, path: string, ...options: readonly string[]): Promise<Ran> {
  return tryIn(namespace, ['curl', '-sS', '--max-time', '10', ...options, path]);
}

async function metricsOf(node: ProxyNode): Promise<string> {
  const { status, stdout, stderr } = await asked(node, 'http://127.0.0.1:9965/metrics', '--fail');
  assert.equal(status, 0, stderr);
  return stdout;
}

/** How many findings of a severity the metrics have. */
function differences(metrics: string, severity = 'error'): number {
  const lines = metrics.matchAll(/^k8snet_differences\{([^}]*)\} (\S+)$/gm);
  return [...lines].reduce(
    (sum, [, labels = '', value]) => sum + (labels.includes(`severity="${severity}"`) ? Number(value) : 0),
    0,
  );
}

test('the image runs as it is, as nobody, and is of this version', { skip }, async () => {
  const words = [
    'run',
    'version',
    `--image=${imageName}`,
    '--image-pull-policy=Never',
    '--restart=Never',
    '--',
    '--version',
  ];
  await cluster.kubectl(words);
  await cluster.settled(['wait', '--for=jsonpath={.status.phase}=Succeeded', 'pod/version']);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  assert.equal(await cluster.kubectl(['logs', 'version']), `${version}\n`);
  await cluster.kubectl(['delete', 'pod', 'version', '--now']);
});

test('it is ready on every node, and its metrics are well-formed', { skip }, async () => {
  await install();
  for (const node of cluster.nodes) {
    await until(
      () => `${node.name} is compared`,
      60_000,
      async () => /^k8snet_services\{state="same"\} [1-9]/m.test(await metricsOf(node)),
    );
    const metrics = await metricsOf(node);
    assert.equal(differences(metrics), 0, metrics);
    writeFileSync(join(folder, 'metrics'), metrics);
    for (const [name, labels] of Object.entries(agentMetrics)) {
      // A healthy node has no difference to show.
      if (name === 'k8snet_differences') continue;
      const line = new RegExp(`^${name}(?:_bucket)?(?:\\{(.*?)\\})? \\S+$`, 'm').exec(metrics);
      assert.ok(line, name);
      for (const label of labels) assert.ok(line[1]?.includes(`${label}="`), `${name} has ${label}`);
    }
    execFileSync('sh', ['-c', `promtool check metrics <${join(folder, 'metrics')}`], { stdio: 'pipe' });
  }
});

test(`${rounds} rounds of churn bring no difference that counts`, { skip }, async () => {
  const looks = (metrics: string) =>
    [...metrics.matchAll(/^k8snet_checks_total\{.*\} (\S+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  for (let round = 1; round <= rounds; round += 1) {
    const changes = await churn.round();
    for (const node of cluster.nodes) {
      const before = looks(await metricsOf(node));
      await until(
        () => `${node.name} has looked after round ${round}: ${changes.join(', ')}`,
        60_000,
        async () => looks(await metricsOf(node)) > before,
      );
      const metrics = await metricsOf(node);
      for (const severity of ['error', 'warning'])
        assert.equal(
          differences(metrics, severity),
          0,
          `${node.name}, round ${round}: ${changes.join(', ')}\n${metrics}`,
        );
    }
  }
  for (const node of cluster.nodes) {
    await until(
      () => `${node.name} is in order`,
      60_000,
      async () => /^k8snet_services\{state="changing"\} 0$/m.test(await metricsOf(node)),
    );
    assert.equal(differences(await metricsOf(node)), 0);
    // Most looks concern a few Services alone.
    assert.match(await metricsOf(node), /^k8snet_comparisons_total\{scope="services"\} [1-9]/m);
  }
  const logs = await cluster.kubectl([
    '-n',
    'k8snet',
    'logs',
    '--selector=app.kubernetes.io/name=k8snet-agent',
    '--tail=-1',
  ]);
  assert.deepEqual(
    logs.split('\n').filter((line) => line.includes('"event"')),
    [],
  );
});

test('nobody reaches it from outside of its node', { skip }, async () => {
  for (const { name } of cluster.nodes) {
    const address = `192.168.77.1${name.slice(1)}`;
    const { status } = await tryIn(cluster.plane.server, [
      'curl',
      '-sS',
      '--max-time',
      '5',
      `http://${address}:9965/metrics`,
    ]);
    assert.equal(status, 7, 'refused');
  }
});

test('it has NET_ADMIN and nothing else, and cannot write to its files', { skip }, async () => {
  for (const pid of agentProcesses()) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    for (const set of ['CapPrm', 'CapEff', 'CapBnd'])
      assert.equal(new RegExp(`^${set}:\\s+(\\w+)$`, 'm').exec(status)?.[1], '0000000000001000', set);
    assert.match(status, /^NoNewPrivs:\s+1$/m);
    assert.match(status, /^Seccomp:\s+2$/m);
    assert.match(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'), /^\S+ \S+ \S+ \S+ \/ ro,/m);
  }
});

for (const name of ['n1', 'n2'])
  test(`a chain that is gone from ${name} shows in its metrics, and its repair does`, { skip }, async () => {
    const node = cluster.nodes.find((one) => one.name === name);
    const other = cluster.nodes.find((one) => one.name !== name);
    assert.ok(node && other);
    await damage(node);
    await until(
      () => `${name} shows the damage`,
      60_000,
      async () => differences(await metricsOf(node)) > 0,
    );
    assert.equal(differences(await metricsOf(other)), 0);
    await node.restart();
    await until(
      () => `${name} is mended`,
      60_000,
      async () => differences(await metricsOf(node)) === 0,
    );
    assert.match(await metricsOf(node), /^k8snet_services\{state="same"\} [1-9]/m);
  });

test('with Events and a condition, the Node says it too', { skip }, async () => {
  await install('events', 'condition', 'policies');
  const [node] = cluster.nodes;
  assert.ok(node);
  const condition = async () =>
    cluster.kubectl([
      'get',
      'node',
      node.name,
      '--output=jsonpath={.status.conditions[?(@.type=="KubeProxyRulesDrift")].status}',
    ]);
  await until('the condition is False', 60_000, async () => (await condition()) === 'False');
  await damage(node);
  await until('the condition is True', 60_000, async () => (await condition()) === 'True');
  const described = () => cluster.kubectl(['describe', 'node', node.name]);
  await until('an Event tells of the damage', 60_000, async () =>
    /Warning +KubeProxyRulesDrift/.test(await described()),
  );
  await node.restart();
  await until('the condition is False again', 60_000, async () => (await condition()) === 'False');
  await until('an Event says so', 60_000, async () => /Normal +KubeProxyRulesRestored/.test(await described()));
});

test('over TLS, with a token, metrics are for those who may get them', { skip }, async () => {
  const file = (name: string) => join(folder, name);
  const subject = ['-subj', '/CN=k8snet-agent', '-addext', 'subjectAltName=DNS:k8snet-agent'];
  const words = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-keyout',
    file('tls.key'),
    '-out',
    file('tls.crt'),
  ];
  execFileSync('openssl', [...words, ...subject], { stdio: 'ignore' });
  const secret = [
    'create',
    'secret',
    'tls',
    'k8snet-agent-tls',
    `--cert=${file('tls.crt')}`,
    `--key=${file('tls.key')}`,
  ];
  await cluster.kubectl(['-n', 'k8snet', ...secret]);
  await install('metrics');
  await cluster.kubectl(['create', 'serviceaccount', 'prometheus']);
  const token = (await cluster.kubectl(['create', 'token', 'prometheus'])).trim();
  const [node] = cluster.nodes;
  assert.ok(node);
  const address = '192.168.77.11';
  const ask = (...options: readonly string[]) =>
    tryIn(cluster.plane.server, [
      ...[
        'curl',
        '-sS',
        '--max-time',
        '10',
        '--cacert',
        file('tls.crt'),
        '--connect-to',
        `k8snet-agent:9965:${address}:9965`,
      ],
      ...['--write-out', '\n%{http_code}', ...options, 'https://k8snet-agent:9965/metrics'],
    ]);
  const codeOf = ({ stdout, stderr }: Ran) => (stdout.split('\n').at(-1) ?? '') + stderr;
  const bearer = ['--header', `Authorization: Bearer ${token}`];
  assert.equal(codeOf(await ask()), '401');
  assert.equal(codeOf(await ask('--header', 'Authorization: Bearer nonsense')), '401');
  assert.equal(codeOf(await ask(...bearer)), '403');
  const role = '--clusterrole=k8snet-agent-metrics-reader';
  await cluster.kubectl(['create', 'clusterrolebinding', 'prometheus', role, '--serviceaccount=default:prometheus']);
  // The refusal is remembered for a minute.
  await until('the role counts', 90_000, async () => codeOf(await ask(...bearer)) === '200');
  assert.match((await ask(...bearer)).stdout, /^k8snet_build_info\{/m);
});

test('the agent asked for nothing that it may not have, and used all that it has', { skip }, () => {
  const account = 'system:serviceaccount:k8snet:k8snet-agent';
  const requests = readFileSync(join(cluster.plane.folder, 'audit.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes(account))
    .flatMap((line) => parsed(line) ?? [])
    .filter(({ user }) => user.username === account);
  const refused = requests.filter(
    ({ responseStatus, annotations }) =>
      responseStatus?.code === 403 || annotations?.['authorization.k8s.io/decision'] === 'forbid',
  );
  assert.deepEqual(
    refused.map(({ verb, requestURI }) => `${verb} ${requestURI}`),
    [],
  );
  const used = new Set(requests.flatMap(({ objectRef, verb }) => (objectRef ? `${verb} ${kindOf(objectRef)}` : [])));
  for (const one of [
    'services',
    'nodes',
    'endpointslices',
    'servicecidrs',
    'configmaps',
    'networkpolicies',
    'pods',
    'namespaces',
  ])
    for (const verb of ['list', 'watch'])
      assert.ok(used.has(`${verb} ${one}`), `${verb} ${one}: ${[...used].join(', ')}`);
  for (const one of ['create events', 'patch nodes/status', 'create tokenreviews', 'create subjectaccessreviews'])
    assert.ok(used.has(one), one);
});

interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource: string; readonly subresource?: string };
  readonly responseStatus?: { readonly code: number };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Undefined: the line is being written. */
function parsed(line: string): AuditEvent | undefined {
  try {
    return JSON.parse(line) as AuditEvent;
  } catch {
    return undefined;
  }
}

function kindOf({ resource, subresource }: { readonly resource: string; readonly subresource?: string }): string {
  return subresource === undefined ? resource : `${resource}/${subresource}`;
}

/** Process ids of the agents of this cluster. */
function agentProcesses(): readonly string[] {
  const networks = cluster.nodes.map(({ namespace }) => networkOf(String(namespace.pid)));
  const pids = readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && commandOf(pid).startsWith('/usr/bin/k8snet\0agent'),
  );
  const own = pids.filter((pid) => networks.includes(networkOf(pid)));
  assert.equal(own.length, cluster.nodes.length);
  return own;
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function networkOf(pid: string): string {
  return readlinkSync(`/proc/${pid}/ns/net`);
}

/** Empties a chain that kube-proxy wrote for shop/web; it does not notice before its next full sync. */
async function damage({ mode, namespace }: ProxyNode): Promise<void> {
  if (mode === 'iptables') {
    const saved = await runIn(namespace, ['iptables-save', '-t', 'nat']);
    const chain = /^-A (KUBE-SVC-\S+) .*"shop\/web:http ->/m.exec(saved)?.[1];
    assert.ok(chain, saved);
    await runIn(namespace, ['iptables', '-w', '-t', 'nat', '-F', chain]);
    return;
  }
  const listed = await runIn(namespace, ['nft', 'list', 'chains', 'ip']);
  const chain = /chain (service-\S+-shop\/web\/tcp\/http)/.exec(listed)?.[1];
  assert.ok(chain, listed);
  await runIn(namespace, ['nft', 'flush', 'chain', 'ip', 'kube-proxy', chain]);
}
