import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { kernelTests } from '../../kernel/requirements.ts';
import { runCli } from '../../support/runCli.ts';
import { nginxCommand } from './nginx.ts';
import type { Job, Server, SocketProbe } from './probes.ts';
import { runJob, runTool } from './runJob.ts';

const haproxyTest = kernelTests(['namespaces', 'haproxy']);
const nginxTest = kernelTests(['namespaces', 'nginx', 'nginx-stream']);

function node(number: number, more: { metadata?: object; ready?: string; addresses?: readonly string[] } = {}): object {
  const addresses = more.addresses ?? [`10.66.0.${number}`];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `n${number}`, ...more.metadata },
    status: {
      addresses: addresses.map((address) => ({ type: 'InternalIP', address })),
      conditions: [{ type: 'Ready', status: more.ready ?? 'True' }],
    },
  };
}

function service(name: string, ip: string | undefined, ports: readonly object[], spec: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: { type: 'LoadBalancer', clusterIP: `10.96.8.${name.length}`, ports, ...spec },
    status: { loadBalancer: { ingress: ip === undefined ? [] : [{ ip }, { hostname: 'lb.example' }] } },
  };
}

const web = { name: 'http', port: 80, nodePort: 30080 };

function compile(objects: readonly object[], args: readonly string[] = []) {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  return runCli(['emit', 'lb', '-f', '-', ...args], { input });
}

function haproxy(config: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-haproxy-'));
  writeFileSync(join(folder, 'haproxy.cfg'), config);
  runTool(['haproxy', '-c', '-f', join(folder, 'haproxy.cfg')]);
  return ['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')];
}

/** Which servers answered, by probe; an empty text for no answer. */
async function answers(
  job: Pick<Job, 'servers' | 'program'>,
  probes: readonly SocketProbe[],
  addresses: readonly string[],
) {
  const [first] = probes;
  const listensOn = first && { ip: first.ip, port: first.port };
  const outcomes = await runJob({ ...job, addresses, listensOn, probes });
  return outcomes.map((outcome) => ('answers' in outcome ? [...new Set(outcome.answers)].sort() : []));
}

const programs = [
  ['haproxy', haproxyTest, haproxy],
  ['nginx', nginxTest, (config: string) => nginxCommand(config, { isStream: true })],
] as const;

for (const [program, serverTest, command] of programs) {
  serverTest(
    `${program}: nodes are left out by label, state and deletion; source ranges close connections`,
    async () => {
      const { status, stdout, stderr } = compile(
        [
          node(1),
          node(2, { metadata: { labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': '' } } }),
          node(3, { ready: 'Unknown' }),
          node(4, { metadata: { deletionTimestamp: '2024-01-01T00:00:00Z' } }),
          node(5),
          service('a', '10.77.0.1', [web]),
          service('bb', '10.77.0.2', [{ ...web, nodePort: 30081 }], {
            loadBalancerSourceRanges: ['10.77.0.9/32', '10.9.0.0/16'],
          }),
        ],
        ['--lb', program],
      );
      assert.equal(status, 0, stderr);
      assert.equal(stderr.match(/note node-excluded:/g)?.length, 3);
      const servers = [1, 2, 3, 4, 5].flatMap((number): readonly Server[] =>
        [30080, 30081].map((port) => ({ kind: 'tcp', ip: `10.66.0.${number}`, port })),
      );
      const up = (port: number) => [`10.66.0.1:${port}`, `10.66.0.5:${port}`];
      const probe = { kind: 'tcp', port: 80, times: 8 } as const;
      const seen = await answers(
        { servers, program: command(stdout) },
        [
          { ...probe, ip: '10.77.0.1', until: up(30080) },
          { ...probe, ip: '10.77.0.2', until: up(30081), from: '10.77.0.9' },
          { ...probe, ip: '10.77.0.2', until: [''], from: '10.77.0.8' },
        ],
        ['10.77.0.1', '10.77.0.2', '10.77.0.8', '10.77.0.9'],
      );
      assert.deepEqual(seen, [up(30080), up(30081), ['']]);
    },
  );

  serverTest(`${program}: IPv6, names of full length and a port of every name load`, async () => {
    const long = 'x'.repeat(63);
    const objects = [
      node(1, {
        metadata: { name: `${'n'.repeat(60)}.${'n'.repeat(60)}.${'n'.repeat(60)}.n` },
        addresses: ['10.66.0.1', 'fd00:66::1'],
      }),
      service(long, 'fd00:77::1', [web], { clusterIP: 'fd00:96::1' }),
    ];
    const { status, stdout, stderr } = compile(objects, ['--lb', program]);
    assert.equal(status, 0, stderr);
    const seen = await answers(
      { servers: [{ kind: 'tcp', ip: 'fd00:66::1', port: 30080 }], program: command(stdout) },
      [{ kind: 'tcp', ip: 'fd00:77::1', port: 80, times: 2, until: ['fd00:66::1:30080'] }],
      ['fd00:77::1'],
    );
    assert.deepEqual(seen, [['fd00:66::1:30080']]);
  });
}

nginxTest('nginx: policy Local goes by the endpoints of the input, affinity by source', async () => {
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'a-1', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'a' } },
    addressType: 'IPv4',
    endpoints: [
      { addresses: ['10.244.2.1'], nodeName: 'n2' },
      { addresses: ['10.244.1.1'], nodeName: 'n1', conditions: { ready: false } },
    ],
    ports: [{ name: 'http', port: 8080 }],
  };
  const local = { externalTrafficPolicy: 'Local', healthCheckNodePort: 31999 };
  const { stdout, stderr } = compile(
    [
      node(1),
      node(2),
      slice,
      service('a', '10.77.0.1', [web], local),
      service('bb', '10.77.0.2', [{ ...web, nodePort: 30081 }], { ...local, healthCheckNodePort: 31998 }),
      service('ccc', '10.77.0.3', [{ ...web, nodePort: 30082 }], { sessionAffinity: 'ClientIP' }),
    ],
    ['--lb', 'nginx'],
  );
  assert.match(stderr, /note nodes-by-endpoints:.*1 of 2 nodes/);
  assert.match(stderr, /warning no-nodes:.*shop\/bb/);
  const servers = [1, 2].flatMap((number): readonly Server[] =>
    [30080, 30082].map((port) => ({ kind: 'tcp', ip: `10.66.0.${number}`, port })),
  );
  const seen = await answers(
    { servers, program: nginxCommand(stdout, { isStream: true }) },
    [
      { kind: 'tcp', ip: '10.77.0.1', port: 80, times: 6, until: ['10.66.0.2:30080'] },
      { kind: 'tcp', ip: '10.77.0.3', port: 80, times: 9, until: 'one' },
    ],
    ['10.77.0.1', '10.77.0.3'],
  );
  assert.deepEqual(seen[0], ['10.66.0.2:30080']);
  assert.equal(seen[1]?.length, 1);
});

haproxyTest('haproxy: --check kube-proxy asks kube-proxy of each node', async () => {
  const { stdout } = compile([node(1), node(2), service('a', '10.77.0.1', [web])], ['--check', 'kube-proxy']);
  const servers = [1, 2].flatMap((number): readonly Server[] => [
    { kind: 'tcp', ip: `10.66.0.${number}`, port: 30080 },
    { kind: 'http', ip: `10.66.0.${number}`, port: 10256, status: number === 1 ? 503 : 200 },
  ]);
  const probe: SocketProbe = { kind: 'tcp', ip: '10.77.0.1', port: 80, times: 6, until: ['10.66.0.2:30080'] };
  assert.deepEqual(await answers({ servers, program: haproxy(stdout) }, [probe], ['10.77.0.1']), [['10.66.0.2:30080']]);
});

test('what cannot be balanced is said and left out', () => {
  const { status, stdout, stderr } = compile(
    [
      node(1),
      service('a', undefined, [web, { name: 'dns', port: 53, protocol: 'UDP', nodePort: 30053 }]),
      service('bb', undefined, [{ ...web, nodePort: 30081 }]),
      service('ccc', '10.77.0.3', [{ name: 'x', port: 81 }], { allocateLoadBalancerNodePorts: false }),
      service('dddd', '10.77.0.4', [{ ...web, nodePort: 30084 }], { externalTrafficPolicy: 'Local' }),
      service('eeeee', '10.77.0.5', [{ ...web, nodePort: 30085 }], { loadBalancerClass: 'other.example/lb' }),
    ],
    ['--no-allocate'],
  );
  assert.equal(status, 0, stderr);
  for (const code of [
    'no-address',
    'protocol-unsupported',
    'listener-conflict',
    'no-node-port',
    'no-health-check-port',
  ]) {
    assert.match(stderr, new RegExp(` ${code}:`));
  }
  assert.deepEqual(stdout.match(/^listen .*/gm), ['listen shop_a_80', 'listen shop_dddd_80']);
});

test('options that cannot be met are refused', () => {
  const objects = [
    node(1),
    service('a', '10.77.0.1', [web]),
    service('bb', undefined, [web], { type: 'ClusterIP', ports: [{ port: 80 }] }),
  ];
  for (const args of [
    ['--service', 'shop/none'],
    ['--service', 'shop/bb'],
    ['--lb', 'nginx', '--proxy-protocol', 'v2'],
  ]) {
    const { status, stdout, stderr } = compile(objects, args);
    assert.equal(status, 2, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, /error bad-option:/);
  }
  const { stderr } = compile([node(1)]);
  assert.match(stderr, /warning no-services:/);
});

test('hostile names are refused', () => {
  for (const name of ['a\n    server evil', 'a;b', 'a"b']) {
    assert.equal(compile([{ ...node(1), metadata: { name } }, service('a', '10.77.0.1', [web])]).status, 2);
    assert.equal(compile([node(1), service(name, '10.77.0.1', [web])]).status, 2);
  }
});

test('--out-dir writes the configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-lb-'));
  try {
    const printed = compile([node(1), service('a', '10.77.0.1', [web])]).stdout;
    compile([node(1), service('a', '10.77.0.1', [web])], ['--out-dir', folder]);
    assert.equal(readFileSync(join(folder, 'haproxy.cfg'), 'utf8'), printed);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
