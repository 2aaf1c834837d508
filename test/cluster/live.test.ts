import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { runIn } from '../../src/lab/runIn.ts';
import { readCluster, readNode } from '../../src/public/api.ts';
import { told } from '../../src/public/result.ts';
import { cliCommand, type Ended, runCli } from '../support/runCli.ts';
import { type Cluster, openCluster, type ProxyNode } from './openCluster.ts';
import { lacksCluster } from './programs.ts';
import { createProxyPods } from './proxyPods.ts';
import { until } from './until.ts';

/**
 * What `--live` reads from a real API server through a real kubectl, as accounts that may read all, some and nothing.
 * Commands run as processes of their own: this one answers for the cluster meanwhile.
 */
const missing = lacksCluster(['1.36.3']);
const skip = missing !== undefined && process.env.K8SNET_REQUIRE_CLUSTER !== '1' ? missing : false;
let cluster: Cluster;
let folder: string;

before(async () => {
  if (skip !== false) return;
  folder = mkdtempSync(join(tmpdir(), 'k8snet-live-'));
  cluster = await openCluster([
    { version: '1.36.3', mode: 'iptables' },
    { version: '1.36.3', mode: 'nftables' },
  ]);
  await fill(cluster);
  await createProxyPods(cluster);
});

after(async () => {
  await cluster?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** The command line as its user runs it: kubectl is in the PATH, KUBECONFIG names the cluster. */
function live(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Ended {
  const path = `${cluster.plane.programs}:${process.env.PATH ?? ''}`;
  return runCli(args, {
    environment: { PATH: path, KUBECONFIG: join(cluster.plane.folder, 'kubeconfig'), ...environment },
  });
}

/** What kubectl itself prints of the kinds. */
async function objectsFile(...paths: readonly string[]): Promise<string> {
  const file = join(folder, 'objects.json');
  const lists = (await Promise.all(paths.map((path) => cluster.api.get(path)))) as readonly object[];
  writeFileSync(file, lists.map((list) => JSON.stringify(list)).join('\n'));
  return file;
}

const rulePaths = [
  '/api/v1/services',
  '/apis/discovery.k8s.io/v1/endpointslices',
  '/api/v1/nodes',
  '/apis/networking.k8s.io/v1/servicecidrs',
];

/** The command line as it runs in a Pod: no kubectl, no kubeconfig, the token of an account. */
async function inPod(account: string, args: readonly string[]): Promise<Ended> {
  const { api, plane } = cluster;
  const path = `/api/v1/namespaces/default/serviceaccounts/${account}/token`;
  const { status } = (await api.create(path, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {},
  })) as {
    readonly status: { readonly token: string };
  };
  writeFileSync(join(folder, 'token'), status.token);
  const own = '/run/secrets/kubernetes.io/serviceaccount';
  const script = `mount -t tmpfs none /run && mkdir -p ${own} && cp "$1" ${own}/token && cp "$2" ${own}/ca.crt && shift 2 && exec "$@"`;
  const words = ['sh', '-ec', script, 'sh', join(folder, 'token'), join(plane.folder, 'certs/apiserver.crt')];
  const {
    stdout,
    stderr,
    status: code,
  } = spawnSync(
    'nsenter',
    [`--net=/proc/${plane.server.pid}/ns/net`, '--', 'unshare', '-m', ...words, ...cliCommand, ...args],
    {
      encoding: 'utf8',
      env: {
        PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: folder,
        KUBERNETES_SERVICE_HOST: '192.168.77.1',
        KUBERNETES_SERVICE_PORT: '6443',
      },
    },
  );
  return { status: code, stdout, stderr };
}

const target = ['--node', 'n1', '--kube-version', '1.36'];

test('--live compiles what -f with the objects of the cluster compiles', { skip }, async () => {
  const file = await objectsFile(...rulePaths);
  for (const mode of ['iptables', 'nftables']) {
    const read = live(['compile', '--live', '--mode', mode, ...target]);
    const given = live(['compile', '-f', file, '--mode', mode, ...target]);
    assert.equal(read.status, 0, read.stderr);
    assert.equal(read.stdout, given.stdout);
    assert.match(read.stdout, /10\.244\.1\.6/);
  }
});

test('kubectl is asked for the kinds that a command needs, and never for Secrets', { skip }, () => {
  const asked = (args: readonly string[]) => {
    const log = join(folder, 'asked');
    rmSync(log, { force: true });
    const { status, stderr } = live(args, { KUBECTL_LOG: log });
    assert.equal(status, 0, stderr);
    const paths = [...readFileSync(log, 'utf8').matchAll(/--raw (\S+)/g)].map(([, path = '']) =>
      path.replace(/\?.*/, ''),
    );
    return paths.map((path) => path.replace(/.*\/(?=\w)/, '')).sort();
  };
  const rules = ['endpointslices', 'nodes', 'servicecidrs', 'services'];
  // The ConfigMap is there under neither of its names.
  const settings = ['kube-proxy', 'kube-proxy-config'];
  assert.deepEqual(asked(['compile', '--live', ...target]), [...rules, ...settings].sort());
  const config = join(folder, 'config.yaml');
  writeFileSync(config, 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: iptables\n');
  assert.deepEqual(asked(['compile', '--live', '--config', config, ...target]), rules);
  assert.deepEqual(asked(['emit', 'env', '--live', '--namespace', 'shop']), ['pods', 'services']);
  assert.ok(!asked(['lint', '--live']).includes('secrets'));
});

test('an account that may not read Services gets no answer, and the rule that grants it', { skip }, () => {
  const { status, stdout, stderr } = live(['compile', '--live', '--as', 'nobody', ...target]);
  assert.equal(status, 5);
  assert.equal(stdout, '');
  assert.match(stderr, /error not-allowed: cluster test: the account may not list services/);
  assert.match(stderr, /error not-allowed: cluster test: the account may not list endpointslices/);
  assert.match(stderr, /apiGroups: \["discovery\.k8s\.io"\], resources: \[endpointslices\], verbs: \[list\]/);
});

test('what only tells more is unknown, and not empty, to whom it is not shown', { skip }, async () => {
  await grant('half', [
    { apiGroups: [''], resources: ['services'], verbs: ['list'] },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list'] },
  ]);
  const { status, stdout, stderr } = live(['compile', '--live', '--as', 'half', ...target]);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /10\.244\.1\.6/);
  assert.match(stderr, /warning not-allowed: cluster test: the account may not list nodes, so it is not known/);
  assert.match(stderr, /the account may not get configmaps/);
  assert.match(stderr, /resourceNames: \[kube-proxy, kube-proxy-config\], verbs: \[get\]/);
});

test('a snapshot of an account that may not read policies does not say that there are none', { skip }, async () => {
  await grant('most', [
    { apiGroups: [''], resources: ['services', 'pods', 'namespaces', 'nodes'], verbs: ['list'] },
    slices,
  ]);
  const archive = join(folder, 'most.tar.gz');
  // No node: the account may not enter Pods.
  assert.equal(live(['collect', '--live', '--as', 'most', '-o', archive]).status, 5);
  const check = runCli(['check-service', 'shop/web', '-f', archive]);
  assert.match(check.stdout, /objects of kind NetworkPolicy: the account may not read them/);
  assert.doesNotMatch(check.stdout, /the objects hold none|has no NetworkPolicies/);
  assert.match(check.stderr, /warning not-allowed: \S+most\.tar\.gz: the account may not list networkpolicies/);
  const words = ['policy', 'test', '-f', archive, '--from', '10.244.1.9', '--to', '10.244.1.5', '--port', '80'];
  const verdict = runCli(words);
  assert.equal(verdict.status, 5, verdict.stdout);
  assert.match(
    verdict.stderr,
    /error not-allowed: .* may not list networkpolicies, and there is no answer without them/,
  );
  const policy = join(folder, 'policy.yaml');
  writeFileSync(
    policy,
    'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: a, namespace: shop}\nspec: {podSelector: {}}\n',
  );
  // What is given beside it is known.
  const given = runCli([...words, '-f', policy]);
  assert.doesNotMatch(given.stderr, /networkpolicies/);
  const whole = live(['collect', '--live', 'node/n1', '-o', archive]);
  assert.equal(whole.status, 0, whole.stderr);
  assert.match(runCli(['check-service', 'shop/web', '-f', archive]).stdout, /the cluster has no NetworkPolicies/);
});

test('check-service says of the objects what an account may see, and of no more than its namespace', {
  skip,
}, async () => {
  await grant('half', [{ apiGroups: [''], resources: ['services'], verbs: ['list'] }, slices], 'half-again');
  const half = live(['check-service', 'shop/web', '--live', '--as', 'half']);
  assert.equal(half.status, 5, half.stdout);
  assert.match(half.stdout, /2 endpoints, 2 ready/);
  assert.match(half.stdout, /objects of kind Node: the account may not read them/);
  const group = '/apis/rbac.authorization.k8s.io/v1/namespaces/shop';
  const rules = [{ apiGroups: [''], resources: ['services', 'pods'], verbs: ['list'] }, slices];
  await cluster.api.create(`${group}/roles`, { metadata: { name: 'developer' }, rules });
  await cluster.api.create(`${group}/rolebindings`, {
    metadata: { name: 'developer' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'developer' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'developer' }],
  });
  const ask = (name: string) => live(['check-service', name, '-n', 'shop', '--live', '--as', 'developer']);
  await until('the role counts', 30_000, async () => /2 endpoints, 2 ready/.test(ask('web').stdout));
  const own = ask('web');
  assert.equal(own.status, 5, own.stdout);
  assert.match(own.stderr, /note one-namespace-read: cluster test: .* only those of shop were read/);
  const none = ask('wbe');
  assert.equal(none.status, 1);
  assert.match(none.stdout, /There is no Service shop\/wbe: .*Did you mean shop\/web\?/);
});

test('a name without a namespace is of the one that the context names', { skip }, async () => {
  const file = join(folder, 'of-shop');
  const text = readFileSync(join(cluster.plane.folder, 'kubeconfig'), 'utf8');
  writeFileSync(file, text.replace('user: admin}}]', 'user: admin, namespace: shop}}]'));
  const ask = (...words: readonly string[]) =>
    live(['check-service', ...words, '--live', 'node/n1', '--kubeconfig', file]);
  assert.match(ask('web').stdout, /^shop\/web is in order/);
  assert.match(ask('web', '-n', 'default').stdout, /^There is no Service default\/web/m);
  assert.match(ask('shpo/web').stdout, /the cluster has no namespace shpo\. Did you mean shop\/web\?/);
});

test('-n reads one namespace, and says that others are unknown', { skip }, () => {
  const { status, stdout, stderr } = live(['compile', '--live', '-n', 'shop', ...target]);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /shop\/web/);
  assert.doesNotMatch(stdout, /default\/kubernetes/);
  assert.match(stderr, /note one-namespace-read: cluster test: of kinds in namespaces only those of shop were read/);
});

test('a problem is named with the cluster and the object', { skip }, async () => {
  await cluster.api.create('/api/v1/namespaces/shop/services', {
    metadata: { name: 'typo' },
    spec: { selector: { app: 'nobody' }, ports: [{ port: 80 }] },
  });
  const { stdout } = live(['lint', '--live', '-v']);
  assert.match(stdout, /^cluster test: Service shop\/typo warning no-endpoints: /m);
  await cluster.api.remove('/api/v1/namespaces/shop/services/typo');
});

test('a cluster that nobody answers for is exit code 5', { skip }, () => {
  const wrong = live(['compile', '--live', '--context', 'prod', ...target]);
  assert.equal(wrong.status, 5);
  assert.match(
    wrong.stderr,
    /error cluster-unread: cluster prod cannot be read: .*context "?prod"? does not exist|context was not found/,
  );
  const none = runCli(['compile', '--live', ...target], { environment: { PATH: '/nonexistent' } });
  assert.equal(none.status, 5);
  assert.match(none.stderr, /kubectl cannot be started/);
});

test('in a Pod the account of the Pod reads, without kubectl', { skip }, async () => {
  await cluster.api.create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'reader' } });
  const refused = await inPod('reader', ['compile', '--live', ...target]);
  assert.equal(refused.status, 5, refused.stderr);
  assert.match(refused.stderr, /the account may not list services.*system:serviceaccount:default:reader/);
  await grant(
    'system:serviceaccount:default:reader',
    [
      { apiGroups: [''], resources: ['services', 'nodes'], verbs: ['list'] },
      { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list'] },
      { apiGroups: ['networking.k8s.io'], resources: ['servicecidrs'], verbs: ['list'] },
      {
        apiGroups: [''],
        resources: ['configmaps'],
        resourceNames: ['kube-proxy', 'kube-proxy-config'],
        verbs: ['get'],
      },
    ],
    'reader',
  );
  const read = await inPod('reader', ['compile', '--live', ...target]);
  assert.equal(read.status, 0, read.stderr);
  assert.equal(read.stdout, live(['compile', '--live', ...target]).stdout);
});

test('a node is compared through the Pod of kube-proxy, with the objects of the same moment', { skip }, async () => {
  for (const { name, mode } of cluster.nodes) {
    const args = ['diff', '--live', `node/${name}`, '--mode', mode];
    await until(`${name} is synced`, 60_000, async () => live(args).status === 0);
    const { stdout } = live(args);
    assert.match(stdout, /\b2 Services: 2 same\b/);
  }
});

test('damage on one node of several is named with the node', { skip }, async () => {
  const [first] = cluster.nodes;
  assert.ok(first);
  await damage(first);
  const { status, stdout, stderr } = live(['doctor', '--live', 'nodes']);
  assert.equal(status, 1, stderr);
  assert.match(stdout, /^2 nodes: 1 without a problem, 1 with problems$/m);
  assert.match(stdout, /^error K8N\d+ .*: n1$/m);
  assert.doesNotMatch(stdout, /^error K8N\d+ .*\bn2$/m);
  // What is said of the cluster is said once, and not with each node.
  assert.equal(stderr.match(/note proxy-settings-unknown: /g)?.length, 1, stderr);
  const compared = live(['diff', '--live', 'nodes']);
  assert.match(compared.stdout, /^error K8N\d+ .*: n1$/m, compared.stdout + compared.stderr);
  assert.equal(compared.stderr.match(/note proxy-settings-unknown: /g)?.length, 1, compared.stderr);
  await first.restart();
  await until(
    'it is repaired',
    60_000,
    async () => live(['diff', '--live', 'node/n1', '--mode', 'iptables']).status === 0,
  );
});

test('first aid finds out by itself what a Service needs', { skip }, async () => {
  const [first] = cluster.nodes;
  assert.ok(first);
  const ask = () => live(['check-service', 'shop/web', '--live']);
  const healthy = ask();
  assert.doesNotMatch(healthy.stdout, /^(?:broken|cause)/m, healthy.stdout);
  for (const node of ['n1', 'n2']) assert.ok(healthy.stdout.includes(`node ${node}`), healthy.stdout + healthy.stderr);
  assert.notEqual(healthy.status, 1, healthy.stdout);
  await damage(first);
  const broken = ask();
  assert.equal(broken.status, 1, broken.stdout);
  assert.match(broken.stdout, /^shop\/web is broken\.\non node n1: KUBE-SEP-\S+ does not translate to /);
  await first.restart();
  await until('it is repaired', 60_000, async () => ask().status !== 1);
});

test('an archive of the cluster answers as the cluster did', { skip }, async () => {
  const archive = join(folder, 'cluster.tar.gz');
  const packed = live(['collect', '--live', '-o', archive]);
  assert.doesNotMatch(packed.stderr, /^(?:warning|error)/m);
  assert.equal(packed.status, 0);
  for (const { name, mode } of cluster.nodes) {
    const { status, stdout } = runCli(['diff', '-f', archive, '--node', name, '--mode', mode, `${archive}:${name}`]);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /\b2 Services: 2 same\b/);
  }
  const redacted = join(folder, 'redacted.tar.gz');
  assert.equal(live(['collect', '--live', '--redact', '-o', redacted]).status, 0);
  for (const node of ['node-1', 'node-2']) {
    const { status, stdout } = runCli(['diff', '-f', redacted, '--node', node, `${redacted}:${node}`]);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /\b2 Services: 2 same\b/);
  }
  const words = runCli(['canon', `${redacted}:node-1`]).stdout;
  assert.match(words, /svc-\d/);
  assert.doesNotMatch(words, /shop|192\.168\.77\.|10\.244\.1\./);
  const whole = runCli(['doctor', archive]);
  // An archive without a name behind it stands for all of its nodes.
  assert.equal(whole.status, 0, whole.stdout);
  assert.match(whole.stdout, /\bn1\b[\s\S]*\bn2\b/);
  const partly = live(['collect', '--live', 'node/n1', 'node/n7', '-o', archive]);
  assert.equal(partly.status, 5);
  assert.match(partly.stderr, /node n7 cannot be read/);
  assert.equal(runCli(['doctor', `${archive}:n1`]).status, 0);
});

test('the roles of docs/live.md suffice, and each of their rules is needed', { skip }, async () => {
  const text = readFileSync('docs/live.md', 'utf8');
  const roles = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = '']) => parse(yaml) as Role);
  assert.deepEqual(
    roles.map(({ kind }) => kind),
    ['ClusterRole', 'Role'],
  );
  const group = '/apis/rbac.authorization.k8s.io/v1';
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'documented' }];
  for (const role of roles) {
    const { namespace, name } = role.metadata;
    const at = namespace === undefined ? group : `${group}/namespaces/${namespace}`;
    await cluster.api.create(`${at}/${role.kind.toLowerCase()}s`, role);
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: role.kind, name };
    await cluster.api.create(`${at}/${role.kind.toLowerCase()}bindings`, {
      metadata: role.metadata,
      roleRef,
      subjects,
    });
  }
  const archive = join(folder, 'documented.tar.gz');
  const collect = () => live(['collect', '--live', '--as', 'documented', '-o', archive]);
  await until('the roles count', 30_000, async () => !collect().stderr.includes('not-allowed'));
  assert.equal(collect().status, 0);
  for (const [role] of roles.entries())
    for (const { resources } of roles[role]?.rules ?? [])
      for (const resource of resources) assert.ok(isRead(resource), `${resource} is granted and not read`);
});

interface Role {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules: readonly { readonly resources: readonly string[] }[];
}

/** Whether the collection asks for it, which the log of the stand-in for kubectl shows. */
function isRead(resource: string): boolean {
  const log = join(folder, 'asked.log');
  if (!existsSync(log)) live(['collect', '--live', '-o', join(folder, 'asked.tar.gz')], { KUBECTL_LOG: log });
  const asked = readFileSync(log, 'utf8');
  return resource === 'pods/exec' ? asked.includes('exec') : asked.includes(`/${resource}`);
}

test('a page shows the cluster', { skip }, async () => {
  const file = join(folder, 'cluster.html');
  const { status, stderr } = live(['page', '--live', 'node/n1', '-o', file]);
  assert.equal(status, 0, stderr);
  const text = readFileSync(file, 'utf8');
  assert.ok(text.includes('cluster.yaml') && text.includes('node/n1:dumps/iptables.nft.v4.save'));
});

test('a node without a Pod of kube-proxy, and one that may not be entered, are exit code 5', { skip }, async () => {
  const none = live(['doctor', '--live', 'node/n7']);
  assert.equal(none.status, 5);
  assert.match(
    none.stderr,
    /error node-unread: node n7 cannot be read: cluster test has no running Pod of kube-proxy on it/,
  );
  await grant('lister', [
    { apiGroups: [''], resources: ['services', 'nodes', 'pods'], verbs: ['list'] },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list'] },
  ]);
  const refused = live(['doctor', '--live', '--as', 'lister', 'node/n1']);
  assert.equal(refused.status, 5);
  assert.match(
    refused.stderr,
    /error not-allowed: node n1: the account may not run anything in Pod kube-system\/kube-proxy-n1/,
  );
  assert.match(refused.stderr, /resources: \[pods\/exec\], verbs: \[create, get\]/);
});

test('pages of a long list are put together', { skip }, async () => {
  const { api } = cluster;
  await api.create('/api/v1/namespaces', { metadata: { name: 'many' } });
  const names = Array.from({ length: 1010 }, (_, at) => `s${at}`);
  for (let at = 0; at < names.length; at += 50) {
    const some = names.slice(at, at + 50);
    await Promise.all(
      some.map((name) =>
        api.create('/api/v1/namespaces/many/services', {
          metadata: { name },
          spec: { clusterIP: 'None', ports: [{ port: 80 }] },
        }),
      ),
    );
  }
  const log = join(folder, 'pages');
  const { status, stdout, stderr } = live(['emit', 'env', '--live', '--namespace', 'shop', '-o', 'json', '-v'], {
    KUBECTL_LOG: log,
  });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /WEB_SERVICE_HOST/);
  assert.match(stderr, /1014 objects read/);
  assert.match(readFileSync(log, 'utf8'), /services\?limit=\d+&continue=/);
  await api.remove('/api/v1/namespaces/many');
});

const slices = { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list'] };

async function grant(user: string, rules: readonly object[], name = user): Promise<void> {
  const { api } = cluster;
  const group = '/apis/rbac.authorization.k8s.io/v1';
  await api.create(`${group}/clusterroles`, { metadata: { name }, rules });
  await api.create(`${group}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  });
  // The authorizer learns of roles by a watch.
  await until(
    `${user} may list services`,
    30_000,
    async () =>
      live(['emit', 'env', '--live', '--namespace', 'shop', '--as', user]).stderr.includes('may not list services') ===
      false,
  );
}

/** Deletes a rule that kube-proxy wrote, which it does not notice. */
async function damage({ namespace }: ProxyNode): Promise<void> {
  const saved = await runIn(namespace, ['iptables-save', '-t', 'nat']);
  const rule = /^-A (KUBE-SEP-\S+ .* -j DNAT .*)$/m.exec(saved)?.[1];
  assert.ok(rule);
  await runIn(namespace, ['sh', '-c', `iptables -t nat -D ${rule}`]);
}

async function fill({ api }: Cluster): Promise<void> {
  await api.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
  await api.create('/api/v1/namespaces/shop/services', {
    metadata: { name: 'web' },
    spec: { type: 'NodePort', ports: [{ name: 'http', port: 80, targetPort: 8080 }], ipFamilyPolicy: 'SingleStack' },
  });
  await api.create('/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices', {
    metadata: { name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: [
      { addresses: ['10.244.1.5'], nodeName: 'n1', conditions: { ready: true } },
      { addresses: ['10.244.1.6'], nodeName: 'n1', conditions: { ready: true } },
    ],
  });
}

test('the API reads a cluster and its nodes as the command line does', { skip }, async () => {
  const { PATH, KUBECONFIG } = process.env;
  process.env.PATH = `${cluster.plane.programs}:${PATH ?? ''}`;
  process.env.KUBECONFIG = join(cluster.plane.folder, 'kubeconfig');
  const said: string[] = [];
  const report = ({ message }: { readonly message: string }) => said.push(message);
  try {
    const read = await told(readCluster({ kinds: { needs: ['services', 'endpointSlices'], uses: [] } }), report);
    const kinds = new Set(read?.objects.map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), ['EndpointSlice', 'Service']);
    const node = await told(readNode('n2', {}), report);
    assert.equal(node?.name, 'n2');
    assert.equal(node?.nft.length, 2);
    assert.equal(await told(readNode('n9', {}), report), undefined);
    assert.match(said.at(-1) ?? '', /node n9 cannot be read/);
  } finally {
    process.env.PATH = PATH;
    if (KUBECONFIG === undefined) delete process.env.KUBECONFIG;
    else process.env.KUBECONFIG = KUBECONFIG;
  }
});

/** A command that goes on, and the lines that it has printed so far. */
function watching(args: readonly string[]) {
  const path = `${cluster.plane.programs}:${process.env.PATH ?? ''}`;
  const [program = '', ...words] = cliCommand;
  const child = spawn(
    program,
    [...words, ...args, '--watch', ...(args.includes('--interval') ? [] : ['--interval', '1s'])],
    {
      env: { ...process.env, PATH: path, KUBECONFIG: join(cluster.plane.folder, 'kubeconfig') },
    },
  );
  let text = '';
  child.stdout.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    shows: (line: RegExp, since = 0) =>
      until(
        () => `${line} is printed:\n${text}`,
        60_000,
        async () => line.test(text.slice(since)),
      ),
    length: () => text.length,
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

test('--watch says what begins and what ends, until Ctrl-C', { skip }, async () => {
  const [node] = cluster.nodes;
  assert.ok(node);
  const service = watching(['check-service', 'shop/web', '--live']);
  const nodes = watching(['diff', '--live', 'nodes', '-o', 'json']);
  await service.shows(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ shop\/web is in order$/m);
  await nodes.shows(/"event":"state","text":"2 nodes: nothing to report"/);
  await runIn(node.namespace, ['iptables', '-w', '-t', 'nat', '-F', 'KUBE-SERVICES']);
  const [ofService, ofNodes] = [service.length(), nodes.length()];
  await service.shows(/ new: on node n1: K8N\d{3}: .*\n(?:.*\n)*.*Z shop\/web is broken$/m);
  await nodes.shows(/"event":"new","text":"node n1: K8N\d{3}/);
  await node.restart();
  await service.shows(/ gone: on node n1: K8N\d{3}: .*\n(?:.*\n)*.*Z shop\/web is in order$/m, ofService);
  await nodes.shows(/"text":"2 nodes: nothing to report"/, ofNodes);
  assert.equal(await service.stop(), 0);
  assert.equal(await nodes.stop(), 0);
});

test('--watch sees a change of objects at once', { skip }, async () => {
  const path = '/api/v1/namespaces/shop/services/web';
  const service = (await cluster.api.get(path)) as { readonly spec: { readonly selector?: object } };
  const watch = watching(['check-service', 'shop/none', '--live', '--interval', '10m']);
  await watch.shows(/shop\/none is broken/);
  await cluster.api.create('/api/v1/namespaces/shop/services', {
    metadata: { name: 'none' },
    spec: { ports: [{ port: 80 }], selector: service.spec.selector ?? { app: 'none' } },
  });
  await watch.shows(/gone: .*shop\/none/);
  assert.notEqual(await watch.stop(), null);
  await cluster.api.remove('/api/v1/namespaces/shop/services/none');
});

test('a node on which nft has no rules at all is read, and is broken', { skip }, async () => {
  const [, node] = cluster.nodes;
  assert.ok(node);
  await runIn(node.namespace, ['nft', 'flush', 'ruleset']);
  const { status, stdout, stderr } = live(['diff', '--live', 'node/n2', '--mode', 'nftables']);
  assert.equal(status, 1, stderr);
  assert.match(stdout, /K8N2\d\d/);
  await node.restart();
  await until(
    'the rules are back',
    60_000,
    async () => live(['diff', '--live', 'node/n2', '--mode', 'nftables']).status === 0,
  );
});
