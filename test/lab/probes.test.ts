import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { labCluster } from '../../src/lab/labCluster.ts';
import { labClients } from '../../src/lab/network/labClients.ts';
import { labNetworkOf } from '../../src/lab/network/labNetworkOf.ts';
import { wiringOf } from '../../src/lab/network/wiring.ts';
import { askedProbes } from '../../src/lab/probes/askedProbes.ts';
import { compareProbes } from '../../src/lab/probes/compareProbes.ts';
import { defaultProbes } from '../../src/lab/probes/defaultProbes.ts';
import { type LabProbe, sourceOf } from '../../src/lab/probes/labProbe.ts';
import type { PredictedOutcome } from '../../src/lab/probes/predictProbe.ts';
import type { ProbeOutcome } from '../../src/lab/probes/runProbes.ts';
import { endpointHomes } from '../../src/pipeline/search/endpointHomes.ts';
import { fraction } from '../../src/walk/values/fraction.ts';
import { root } from '../support/compileCase.ts';
import { compileText } from '../support/compileText.ts';

const shop = readFileSync(join(root, 'fixtures/lab/shop.yaml'), 'utf8');

async function labOf(text: string, ...args: readonly string[]) {
  const { compiled, manifests } = await compileText(text, ...args);
  const nodes = [compiled] as const;
  const cluster = labCluster(nodes, endpointHomes(manifests, 'nodes and Pods'));
  return { nodes, cluster, clients: labClients(cluster, nodes) };
}

/** `FROM SOURCE > TO PORT/PROTOCOL`. */
function written(probe: LabProbe): string {
  return `${probe.from.name} ${sourceOf(probe)} > ${probe.to} ${probe.port ?? '-'}/${probe.protocol}`;
}

describe('who asks whom', () => {
  it('reads --probe', async () => {
    const { nodes, cluster, clients } = await labOf(shop, '--node', 'n1');
    const ask = (...words: readonly [string, ...string[]]) => {
      const [from, ...to] = words;
      const probes = askedProbes([{ from, to }], undefined, cluster, clients, nodes);
      return typeof probes === 'string' ? probes : probes.map(written).join(', ');
    };
    assert.equal(ask('node', 'shop/web'), 'node/n1 192.168.10.1 > 10.96.0.10 80/tcp');
    assert.equal(ask('pod/n2', 'shop/sticky:dns'), 'pod/n2 10.244.2.200 > 10.96.0.11 53/udp');
    assert.equal(
      ask('shop/web-1', 'shop/web-2:8080', 'node/n2:22'),
      'shop/web-1 10.244.1.7 > 10.244.2.7 8080/tcp, shop/web-1 10.244.1.7 > 192.168.10.2 22/tcp',
    );
    assert.equal(
      ask('outside', '10.96.0.10:53/udp', '10.244.1.7/icmp'),
      'outside 198.51.100.7 > 10.96.0.10 53/udp, outside 198.51.100.7 > 10.244.1.7 -/icmp',
    );
    assert.equal(ask('10.244.1.99', 'node:30080'), '10.244.1.99 10.244.1.99 > 192.168.10.1 30080/tcp');
    assert.equal(ask('10.244.2.7', 'shop/web:81'), 'shop/web-2 10.244.2.7 > 10.96.0.10 81/tcp');
    assert.equal(ask('192.0.2.77', 'shop/web:http'), '192.0.2.77 192.0.2.77 > 10.96.0.10 80/tcp');
    assert.match(ask('outsid', 'shop/web'), /^--probe outsid: unknown name: .*Did you mean outside\?$/);
    assert.match(ask('127.0.0.1', 'shop/web'), /no machine can have this address/);
    assert.match(ask('outside'), /^--probe outside: to whom\?/);
    assert.equal(ask('outside', '10.96.0.10'), '--probe outside 10.96.0.10: which port?');
    assert.equal(
      ask('outside', 'shop/web:https'),
      '--probe outside shop/web:https: the Service has no port https. It has http (80)',
    );
    assert.match(ask('outside', 'shop/nobody:80'), /nothing of this name/);
    assert.match(ask('outside', '[fd00::1]:80'), /outside has no address of this family/);
    assert.match(ask('outside', '??'), /give an address, a Pod or Service/);
  });

  it('asks every address of every Service by default, from everywhere', async () => {
    const { nodes, cluster, clients } = await labOf(shop, '--node', 'n1');
    const probes = defaultProbes(cluster, clients, nodes);
    const from = new Set(probes.map((probe) => probe.from.name));
    assert.deepEqual([...from].sort(), [
      'node/n1',
      'node/n2',
      'outside',
      'outside/203.0.113.0/24',
      'pod',
      'pod/n2',
      'shop/web-1',
      'shop/web-2',
    ]);
    const to = new Set(probes.map((probe) => `${probe.to} ${probe.port} ${probe.entrance}`));
    assert.deepEqual([...to].sort(), [
      '10.96.0.10 80 cluster IP',
      '10.96.0.11 53 cluster IP',
      '127.0.0.1 30080 node port',
      '192.168.10.1 30080 node port',
      '198.18.0.1 80 load balancer',
    ]);
  });

  it('makes up what a bare Service lacks, and no address twice', async () => {
    const bare = `{kind: Service, apiVersion: v1, metadata: {name: a, namespace: b}, spec: {clusterIP: 10.96.0.1, ports: [{port: 80}]}}
---
{kind: EndpointSlice, apiVersion: discovery.k8s.io/v1, addressType: IPv4, metadata: {name: a, namespace: b, labels: {kubernetes.io/service-name: a}}, ports: [{name: "", port: 80}],
 endpoints: [{addresses: [10.1.0.1], nodeName: n2, targetRef: {kind: Pod, name: p}}, {addresses: [198.51.100.7]}, {addresses: [192.168.10.1]}]}`;
    const { nodes, cluster, clients } = await labOf(bare, '--node', 'n1', '--node-ip', '192.168.10.1');
    const parties = [...cluster.nodes, ...cluster.parties, ...clients.pods, ...clients.hosts];
    assert.deepEqual(
      parties.map(({ kind, name, addresses }) => `${kind} ${name} ${addresses.join()}`),
      [
        'node node/n1 192.168.10.1',
        'node node/n2 192.168.10.2',
        'pod b/p 10.1.0.1',
        'outside 198.51.100.7 198.51.100.7',
        'pod pod 10.244.250.200',
        'pod pod/n2 10.244.250.201',
        'outside outside 198.51.100.8',
      ],
    );
    // The endpoint that is the node itself listens there.
    assert.deepEqual(
      cluster.tested.servers.map(({ name }) => name),
      ['192.168.10.1:80'],
    );
    assert.equal(new Set(parties.flatMap(({ addresses }) => addresses)).size, parties.length);
    const { network } = labNetworkOf(cluster, new Set([...clients.pods, ...clients.hosts]), {});
    assert.ok(wiringOf(network, () => 1).lan.length > 0);
    assert.equal(defaultProbes(cluster, clients, nodes).length, 6);
  });

  it('puts Pods that only answer together where they are many', async () => {
    const endpoints = Array.from(
      { length: 450 },
      (_, at) => `{addresses: [10.1.${at >> 8}.${at & 255}], nodeName: n2}`,
    );
    const many = `{kind: Service, apiVersion: v1, metadata: {name: a, namespace: b}, spec: {clusterIP: 10.96.0.1, ports: [{port: 80}]}}
---
{kind: EndpointSlice, apiVersion: discovery.k8s.io/v1, addressType: IPv4, metadata: {name: a, namespace: b, labels: {kubernetes.io/service-name: a}}, ports: [{name: "", port: 80}], endpoints: [${endpoints.join()}]}`;
    const { cluster, clients } = await labOf(many, '--node', 'n1', '--node-ip', '192.168.10.1');
    const { network } = labNetworkOf(cluster, new Set(clients.pods), {});
    assert.deepEqual(
      network.pods.map(({ name, servers }) => [name, servers?.length]),
      [
        ['client pod', 0],
        ['client pod/n2', 0],
        ['n2: Pods 1 to 200', 200],
        ['n2: Pods 201 to 400', 200],
        ['n2: Pods 401 to 450', 50],
      ],
    );
  });
});

describe('--compare', () => {
  const answered = (by: string, sawSource = '10.0.0.1') => ({ kind: 'answered', by, sawSource, sawPort: 1 }) as const;
  const says = (end: PredictedOutcome['end'], share: number | undefined = 1, list?: string): PredictedOutcome => {
    const seen = list === undefined ? [] : [{ list, address: 1, milliseconds: 0 }];
    return { end, share: share === undefined ? undefined : fraction(1, share), memory: new Map([['n1', seen]]) };
  };
  const probe: LabProbe = {
    from: { kind: 'pod', name: 'pod', addresses: ['10.0.0.1'], servers: [] },
    to: '10.96.0.1',
    port: 80,
    protocol: 'tcp',
  };
  /** `outcomes` come in turn. */
  const compared = async (
    expected: readonly PredictedOutcome[],
    outcomes: readonly ProbeOutcome[],
    next = expected,
  ) => {
    let asked = 0;
    const [result] = await compareProbes([probe], {
      ask: async (_, count) => Array.from({ length: count }, () => outcomes[asked++ % outcomes.length] as ProbeOutcome),
      predict: (_, seen) => (seen === undefined ? expected : next),
      forget: async () => undefined,
      timeoutMs: 1,
    });
    return { asked, problems: result?.compared?.problems ?? [] };
  };

  it('agrees where everything happens that may, and nothing else', async () => {
    const both = [says(answered('a'), 2), says(answered('b'), 2)];
    assert.deepEqual(await compared(both, [answered('a'), answered('b')]), { asked: 2, problems: [] });
    assert.deepEqual((await compared([says({ kind: 'refused' })], [{ kind: 'refused' }])).problems, []);
  });

  it('says what happens against the walk: another server, another source, a refusal, silence', async () => {
    const a = [says(answered('a'))];
    for (const [outcome, words] of [
      [answered('b'), '2× an answer of b, which sees 10.0.0.1; the walk says an answer of a, which sees 10.0.0.1'],
      [
        answered('a', '10.0.0.9'),
        '2× an answer of a, which sees 10.0.0.9; the walk says an answer of a, which sees 10.0.0.1',
      ],
      [{ kind: 'refused' }, '2× refused; the walk says an answer of a, which sees 10.0.0.1'],
      [{ kind: 'timeout' }, '10× no answer; the walk says an answer of a, which sees 10.0.0.1'],
    ] as const) {
      assert.deepEqual((await compared(a, [outcome])).problems, [words]);
    }
  });

  it('looks long for what the walk says, and tells what never comes', async () => {
    const { asked, problems } = await compared([says(answered('a'), 2), says(answered('b'), 2)], [answered('a')]);
    assert.deepEqual(problems, ['never an answer of b, which sees 10.0.0.1 in 30 connections']);
    assert.equal(asked, 30);
  });

  it('holds the next connection of a client that is remembered against the walk too', async () => {
    const both = [says(answered('a'), 2, 'A'), says(answered('b'), 2, 'B')];
    const stays = await compared(
      both,
      [answered('a'), answered('a'), answered('b'), answered('a')],
      [says(answered('a'))],
    );
    assert.deepEqual(stays.problems, []);
    const leaves = await compared(both, [answered('a'), answered('b')], [says(answered('a'))]);
    assert.match(
      leaves.problems[0] ?? '',
      /^after an answer of a.*, the next connection of this client: an answer of b/,
    );
  });

  it('makes nothing of what nobody can know', async () => {
    assert.deepEqual((await compared([says({ kind: 'unknown', why: 'x' })], [{ kind: 'timeout' }])).problems, []);
  });
});
