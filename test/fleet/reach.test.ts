import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { ReachSummary } from '../../src/behaviour/reach/fleet/summarizeReach.ts';
import { runCli } from '../support/runCli.ts';
import { edit, fleetRun, schemaProblem, writeFleet } from './fleetRun.ts';
import { randomCluster, seededRandom } from './randomCluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-reach-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const reach = (args: readonly string[]) => fleetRun<ReachSummary>(['reach', ...args]);

/** The ranges of the random cluster hold the address of a node, for which it is rightly treated otherwise. */
function cluster(seed: number): readonly object[] {
  return JSON.parse(
    JSON.stringify(randomCluster(seededRandom(seed))).replaceAll('192.168.7.2/32', '172.16.0.0/12'),
  ) as object[];
}

function withoutHints(items: readonly object[]): readonly object[] {
  return JSON.parse(JSON.stringify(items), (key, value: unknown) => (key === 'hints' ? undefined : value)) as object[];
}

describe('healthy nodes', () => {
  const modes = [
    ['iptables', '1.36'],
    ['iptables', '1.22'],
    ['nftables', '1.33'],
    ['ipvs', '1.30'],
  ] as const;
  for (const [mode, version] of modes) {
    for (const seed of [4, 6]) {
      const options = ['--mode', mode, '--kube-version', version, '--cluster-cidr', '10.244.0.0/16'];
      it(`are alike, whatever depends on the node: ${mode} ${version}, cluster ${seed}`, () => {
        const { manifests, dumps } = writeFleet(join(folder, `${mode}-${version}-${seed}`), cluster(seed), options);
        const { status, summary, stderr } = reach(['-f', manifests, dumps]);
        assert.equal(status, 0, stderr);
        assert.deepEqual(summary.differences, []);
        assert.deepEqual(summary.nodes, { judged: 4, same: 4, differ: 0, unjudged: 0, skipped: 0 });
        assert.ok(summary.byPlace.length > 0, 'some Service has a policy Local or hints');
      });
      it(`are alike without manifests, but for hints: ${mode} ${version}, cluster ${seed}`, () => {
        const { dumps } = writeFleet(
          join(folder, `bare-${mode}-${version}-${seed}`),
          withoutHints(cluster(seed)),
          options,
        );
        const { status, summary, stderr } = reach([dumps]);
        assert.equal(status, 0, stderr);
        assert.deepEqual(summary.differences, []);
        assert.equal(summary.placesUnknown, true);
      });
    }
  }

  it('do not hide one that sends to endpoints of another, where each has its own', () => {
    const { manifests, dumps } = writeFleet(join(folder, 'stray'), plainCluster({ internalTrafficPolicy: 'Local' }));
    edit(join(dumps, 'n3', 'iptables.v4.save'), () => readFileSync(join(dumps, 'n2', 'iptables.v4.save'), 'utf8'));
    const { summary } = reach(['-f', manifests, dumps]);
    assert.equal(summary.nodes.differ, 1);
    assert.ok(summary.differences.length > 0);
    for (const { row, usual, others } of summary.differences) {
      assert.equal(row, 'cluster IP 10.96.0.10:80/tcp');
      assert.deepEqual(usual, { says: 'endpoints of their own, or without any: dropped', nodes: 3 });
      assert.deepEqual(
        others.map(({ nodes }) => nodes),
        [['n3']],
      );
      assert.match(others[0]?.says ?? '', /^10\.244\.1\.9:8080 /);
    }
  });

  for (const mode of ['iptables', 'nftables', 'ipvs'] as const) {
    it(`are alike if one of them is an endpoint, which sees senders that others masquerade: ${mode}`, () => {
      for (const endpoints of ['192.168.7.1', '192.168.7.1 10.244.1.9', '192.168.7.1 192.168.7.2 192.168.7.3']) {
        const options = ['--mode', mode, '--cluster-cidr', '10.244.0.0/16'];
        const name = `host-${mode}-${endpoints.length}`;
        const { manifests, dumps } = writeFleet(join(folder, name), endpointsOf(endpoints.split(' ')), options);
        for (const more of [['-f', manifests], []]) {
          const { summary, nodes } = reach([...more, dumps]);
          assert.deepEqual(summary.differences, [], endpoints);
          assert.equal(summary.nodes.same, 4);
          for (const node of nodes) assert.equal(schemaProblem(node), undefined);
        }
      }
    });
  }

  it('are alike without manifests where one has the only endpoint of a node port with policy Local: nftables', () => {
    const local = { externalTrafficPolicy: 'Local' };
    const options = ['--mode', 'nftables', '--cluster-cidr', '10.244.0.0/16'];
    const { dumps } = writeFleet(join(folder, 'local-nft'), endpointsOf(['10.244.0.9'], local), options);
    const { summary } = reach([dumps]);
    assert.deepEqual(summary.differences, []);
    assert.deepEqual(
      summary.byPlace.flatMap(({ rows }) => rows),
      ['node port 30080/tcp'],
    );
  });

  it('say whose endpoints answer where', () => {
    const { manifests, dumps } = writeFleet(join(folder, 'local'), plainCluster({ internalTrafficPolicy: 'Local' }));
    const { stdout } = runCli(['reach', '-f', manifests, dumps]);
    assert.match(stdout, /^4 nodes: 4 alike\n\nOnly endpoints of the node itself answer/);
    assert.match(
      stdout,
      / shop\/web:http \(cluster IP 10\.96\.0\.10:80\/tcp.*\): endpoints of their own on n1, n2; dropped on n3, n4\n/,
    );
  });
});

/** One Service with an endpoint on n1 and one on n2, of either family. */
function plainCluster(spec: object = {}, family: 'IPv4' | 'IPv6' = 'IPv4'): readonly object[] {
  const isV6 = family === 'IPv6';
  const metadata = { name: 'web', namespace: 'shop' };
  const nodes = ['n1', 'n2', 'n3', 'n4'].map((name, at) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: { podCIDRs: [isV6 ? `fd00:10:244:${at}::/64` : `10.244.${at}.0/24`] },
    status: {
      addresses: [{ type: 'InternalIP', address: isV6 ? `fd00:7::${at + 1}` : `192.168.7.${at + 1}` }],
      nodeInfo: { kubeletVersion: 'v1.36.3' },
    },
  }));
  const ports = [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP', nodePort: 30_080 }];
  const clusterIP = isV6 ? 'fd00:96::10' : '10.96.0.10';
  return [
    ...nodes,
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { type: 'NodePort', clusterIP, ipFamilies: [family], selector: { app: 'web' }, ports, ...spec },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
      addressType: family,
      endpoints: [0, 1].map((at) => ({
        addresses: [isV6 ? `fd00:10:244:${at}::9` : `10.244.${at}.9`],
        conditions: { ready: true },
        nodeName: `n${at + 1}`,
      })),
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    },
  ];
}

/** The same with these endpoints: the third number of an address of Pods, or the last of one of a node, is that of the node. */
function endpointsOf(addresses: readonly string[], spec: object = {}): readonly object[] {
  const endpoints = addresses.map((address) => ({
    addresses: [address],
    conditions: { ready: true },
    nodeName: `n${address.startsWith('10.') ? Number(address.split('.')[2]) + 1 : address.split('.')[3]}`,
  }));
  return plainCluster(spec).map((item) => ('endpoints' in item ? { ...item, endpoints } : item));
}

describe('one node that is odd', () => {
  const { manifests, dumps } = writeFleet(join(folder, 'odd'), plainCluster());
  edit(join(dumps, 'n3', 'iptables.v4.save'), (text) => text.replaceAll('10.244.1.9:8080', '10.244.1.77:8080'));

  for (const more of [['-f', manifests], []]) {
    it(`is named, with what it does and what the others do${more.length > 0 ? '' : ', without manifests'}`, () => {
      const { status, summary } = reach([...more, dumps]);
      assert.equal(status, 0);
      assert.equal(summary.nodes.differ, 1);
      assert.ok(summary.differences.length > 0);
      for (const { service, usual, others } of summary.differences) {
        assert.equal(service, 'shop/web:http');
        assert.match(usual.says, /^10\.244\.0\.9:8080, 10\.244\.1\.9:8080 /);
        assert.deepEqual(
          others.map(({ nodes }) => nodes),
          [['n3']],
        );
        assert.match(others[0]?.says ?? '', /^10\.244\.0\.9:8080, 10\.244\.1\.77:8080 /);
      }
      const rows = new Set(summary.differences.map(({ row }) => row));
      assert.ok(rows.has('cluster IP 10.96.0.10:80/tcp') && rows.has('node port 30080/tcp'), [...rows].join());
    });
  }

  it('is told in words', () => {
    const { stdout } = runCli(['reach', '-f', manifests, dumps]);
    assert.match(stdout, /^4 nodes: 3 alike, 1 differs from most\n\nn3\n {2}shop\/web:http\n {4}cluster IP/);
    assert.match(stdout, /on 3 others: 10\.244\.0\.9:8080, 10\.244\.1\.9:8080 own\n/);
    assert.match(stdout, /\n3 nodes alike: n1, n2, n4\n$/);
  });

  it('comes out the same from shards that are merged', () => {
    const whole = reach(['-f', manifests, dumps]);
    const files = [0, 1].map((index) => {
      const file = join(folder, `reach-${index}.jsonl`);
      writeFileSync(file, runCli(['reach', '-f', manifests, dumps, '--shard', `${index}/2`, '-o', 'json']).stdout);
      return file;
    });
    const merged = fleetRun(['report', 'merge', ...files]);
    assert.equal(merged.status, 0, merged.stderr);
    assert.deepEqual(merged.lines, whole.lines);
    for (const line of whole.lines) assert.equal(schemaProblem(line), undefined);
    const text = runCli(['report', 'merge', ...files]).stdout;
    assert.equal(text, runCli(['reach', '-f', manifests, dumps]).stdout);
  });

  it('that lacks the Service is one too', () => {
    const lacking = join(folder, 'lacking');
    cpSync(dumps, lacking, { recursive: true });
    edit(join(lacking, 'n3', 'iptables.v4.save'), () => readFileSync(join(dumps, 'n1', 'iptables.v4.save'), 'utf8'));
    edit(join(lacking, 'n2', 'iptables.v4.save'), (text) =>
      text.replace(/^-A .*(?:shop\/web|KUBE-(?:SVC|SEP|EXT)-).*\n/gm, '').replace(/^:KUBE-(?:SVC|SEP|EXT)-.*\n/gm, ''),
    );
    const { status, summary, nodes } = reach([lacking, 'svc/shop/web']);
    assert.equal(status, 0, JSON.stringify(nodes.map(({ problems }) => problems)));
    assert.ok(summary.differences.length > 0);
    for (const { others } of summary.differences)
      assert.deepEqual(others, [{ says: 'no rule names it', nodes: ['n2'] }]);
  });

  it('is found by what is looked for', () => {
    const { status, summary, lines } = reach([dumps, '--find', 'to 10.244.1.77']);
    assert.equal(status, 0);
    assert.equal(summary.nodes.differ, 1);
    assert.ok(summary.found.length > 0);
    for (const { nodes, packet } of summary.found) {
      assert.deepEqual(nodes, ['n3']);
      assert.match(packet, /^--from \S+ --to \S+ --proto tcp$/);
    }
    for (const line of lines) assert.equal(schemaProblem(line), undefined);
    assert.equal(reach([dumps, '--find', 'to 10.244.1.78']).status, 1);
  });
});

describe('several modes', () => {
  it('are named, with what each does otherwise', () => {
    const mixed = join(folder, 'mixed');
    const items = plainCluster();
    for (const [at, mode] of ['iptables', 'ipvs', 'nftables'].entries()) {
      const { dumps } = writeFleet(join(folder, `mode-${mode}`), items, ['--mode', mode]);
      cpSync(join(dumps, `n${at + 1}`), join(mixed, `n${at + 1}`), { recursive: true });
    }
    const manifests = join(folder, 'mode-ipvs', 'cluster.json');
    const { status, summary } = reach(['-f', manifests, mixed]);
    assert.equal(status, 0);
    assert.deepEqual(
      summary.modes.map(({ mode, nodes }) => [mode, ...nodes]),
      [
        ['iptables', 'n1'],
        ['ipvs', 'n2'],
        ['nftables', 'n3'],
      ],
    );
    const loopback = summary.differences.filter(({ row }) => row.includes('127.0.0.1'));
    assert.deepEqual(
      loopback.map(({ others }) => others[0]?.nodes),
      [['n1']],
    );
  });
});

describe('IPv6', () => {
  it('is compared as IPv4 is: only the odd node is odd', () => {
    const { manifests, dumps } = writeFleet(join(folder, 'v6'), plainCluster({}, 'IPv6'));
    assert.deepEqual(reach(['-f', manifests, dumps]).summary.differences, []);
    edit(join(dumps, 'n4', 'iptables.v6.save'), (text) =>
      text.replaceAll('[fd00:10:244::9]:8080', '[fd00:10:244::77]:8080'),
    );
    const { summary } = reach(['-f', manifests, dumps]);
    assert.ok(summary.differences.some(({ row }) => row === 'node port 30080/tcp (IPv6)'));
    for (const { others } of summary.differences)
      assert.deepEqual(
        others.map(({ nodes }) => nodes),
        [['n4']],
      );
  });
});

describe('words', () => {
  const { manifests, dumps } = writeFleet(join(folder, 'words'), plainCluster());

  it('a Service that no node has is refused, with what is meant', () => {
    const { status, stdout } = runCli(['reach', dumps, 'svc/shop/wed']);
    assert.equal(status, 2);
    assert.match(stdout, /Service "shop\/wed" not found in the dumps\n {2}hint: did you mean shop\/web\?/);
  });

  it('an address is the same address on every node', () => {
    const { status, summary } = reach(['-f', manifests, dumps, '192.168.7.1:30080']);
    assert.equal(status, 0);
    const [only] = new Set(summary.differences.map(({ row }) => row));
    assert.ok(only === undefined || only.includes('192.168.7.1:30080'));
    assert.equal(summary.nodes.judged, 4);
  });

  it('bad dumps are named, and the others compared', () => {
    const bad = join(folder, 'bad');
    cpSync(dumps, bad, { recursive: true });
    writeFileSync(join(bad, 'n2', 'iptables.v4.save'), '');
    rmSync(join(bad, 'n2', 'iptables.v6.save'), { force: true });
    edit(join(bad, 'n3', 'iptables.v4.save'), (text) => text.slice(0, -40));
    edit(join(bad, 'n4', 'iptables.v4.save'), (text) => text.replaceAll('shop/', 'other/'));
    const { status, nodes, summary } = reach(['-f', manifests, bad]);
    assert.equal(status, 2);
    assert.equal(summary.nodes.unjudged, 3);
    const codes = nodes.map(({ node, problems }) => [
      node as string,
      ...(problems as { code: string; severity: string }[]).flatMap(({ code, severity }) =>
        severity === 'error' ? code : [],
      ),
    ]);
    assert.deepEqual(codes.slice(0, 1), [['n1']]);
    assert.deepEqual(codes.slice(2), [
      ['n3', 'cut-dump'],
      ['n4', 'other-cluster'],
    ]);
    assert.ok(['not-a-dump', 'no-proxy-rules'].includes(codes[1]?.[1] ?? ''), String(codes[1]));
  });

  it('names from dumps reach no terminal unescaped', () => {
    const hostile = join(folder, 'hostile');
    cpSync(join(dumps, 'n1'), join(hostile, 'a\u001b[31m'), { recursive: true });
    cpSync(join(dumps, 'n2'), join(hostile, 'b\u009b'), { recursive: true });
    for (const name of ['b\u009b'])
      edit(join(hostile, name, 'iptables.v4.save'), (text) => text.replaceAll('10.244.1.9:8080', '10.244.1.77:8080'));
    const { stdout } = runCli(['reach', hostile]);
    assert.match(stdout, /differs from most/);
    assert.doesNotMatch(stdout, /[\u001b\u009b]/);
    assert.doesNotMatch(runCli(['reach', hostile, '-o', 'json']).stdout, /[\u001b\u009b]/);
  });

  it('names from reports that are merged reach no terminal unescaped', () => {
    const odd = join(folder, 'hostile-report');
    cpSync(dumps, odd, { recursive: true });
    edit(join(odd, 'n2', 'iptables.v4.save'), (text) => text.replaceAll('10.244.1.9:8080', '10.244.1.77:8080'));
    const file = join(folder, 'hostile.jsonl');
    const lines = runCli(['reach', odd, '-o', 'json']).stdout;
    const evil = String.raw`\u001b[2J`;
    const words = ['"outside"', '"own"', '"iptables"', '"shop/web:http"', '"n3"', '"node port 30080/tcp"'];
    writeFileSync(
      file,
      words.reduce((text, word) => text.replaceAll(word, word.replace(/"$/, `${evil}"`)), lines),
    );
    const { stdout, stderr } = runCli(['report', 'merge', file]);
    assert.match(stdout, /^4 nodes: 3 alike, 1 differs from most/, stderr);
    assert.match(stdout, /outside.*2J/);
    assert.doesNotMatch(stdout, /\u001b/);
  });

  const usage: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['a form of one node', [dumps, '-o', 'html'], /--output html is about one node/],
    ['--node', [dumps, '--node', 'n1'], /--node and several nodes exclude each other/],
    ['facts of one node', [dumps, '--facts', 'x.json'], /--facts is about one node/],
    ['--fail-fast, where no node fails', [dumps, '--fail-fast'], /unknown option '--fail-fast'/],
    ['what cannot be found', [dumps, '--find', 'nothing'], /--find nothing: one of/],
  ];
  for (const [what, args, message] of usage) {
    it(`${what}: refused`, () => {
      const { status, stderr } = runCli(['reach', ...args]);
      assert.equal(status, 2);
      assert.match(stderr, message);
    });
  }
});
