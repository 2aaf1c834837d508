import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** Manifests of a cluster with several Nodes against the dump of one of them, without `--node`. */
const dumps: readonly (readonly [scenario: string, dump: string, told: RegExp])[] = [
  [
    'nodeport-etp-local',
    'iptables/iptables.v4.save',
    /the dump is of node node-1, as the endpoint 10\.244\.1\.\d+ on it/,
  ],
  ['nodeport-etp-local', 'nftables/nft.v4.save', /the dump is of node node-1, as the address 192\.168\.10\.1 shows/],
  ['policy-both-local', 'iptables/iptables.v4.save', /the dump is of node node-1, as the endpoint/],
  ['lb-etp-local', 'iptables/iptables.v4.save', /the dump is of node node-1, as the endpoint/],
];

/** Two Nodes, one of them in the source range of a load balancer. Nothing in a dump shows which of them it is of. */
const rangesObjects = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    ...[1, 2].map((number) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: `node-${number}` },
      status: { addresses: [{ type: 'InternalIP', address: `192.168.${number}.1` }] },
    })),
    ...Object.entries({ near: '192.168.2.0/24', far: '198.51.100.0/24' }).flatMap(([name, range], at) => [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name, namespace: 'shop' },
        spec: {
          type: 'LoadBalancer',
          clusterIP: `10.96.0.${at + 1}`,
          ports: [{ port: 80 }],
          loadBalancerSourceRanges: [range],
          allocateLoadBalancerNodePorts: false,
        },
        status: { loadBalancer: { ingress: [{ ip: `203.0.113.${at + 1}` }] } },
      },
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
        addressType: 'IPv4',
        ports: [{ port: 8080 }],
        endpoints: [{ addresses: [`10.244.1.${at + 1}`], nodeName: 'node-1' }],
      },
    ]),
  ],
};

const folder = mkdtempSync(join(tmpdir(), 'k8snet-node-shown-'));
after(() => rmSync(folder, { recursive: true }));
const ranges = join(folder, 'ranges.json');
writeFileSync(ranges, JSON.stringify(rangesObjects));
const withoutNodes = join(folder, 'without-nodes.json');
const items = rangesObjects.items.filter(({ kind }) => kind !== 'Node');
writeFileSync(withoutNodes, JSON.stringify({ ...rangesObjects, items }));

function diff(scenario: string, args: readonly string[], input?: string) {
  const manifests = ['-f', `fixtures/services/${scenario}/manifests.yaml`];
  return runCli(['diff', ...manifests, ...args], input === undefined ? {} : { input });
}

describe('the Node that a dump is of', () => {
  for (const [scenario, dump, told] of dumps) {
    it(`is deduced, and a healthy dump is healthy: ${scenario}, ${dump}`, () => {
      const { status, stdout, stderr } = diff(scenario, [`golden/recorded/services/${scenario}/${dump}`]);
      assert.equal(status, 0, stdout);
      assert.match(stdout, told);
      assert.doesNotMatch(stderr, /node-not-chosen/);
    });
  }

  it('is the one with the addresses at which alone iptables mode opens node ports', () => {
    const scenario = 'nodeport-addresses-cidr';
    for (const settings of [
      [],
      ['--config', `fixtures/services/${scenario}/config.yaml`],
      ['--nodeport-addresses', '192.168.10.0/24'],
    ]) {
      const { status, stdout } = diff(scenario, [...settings, saved(scenario)]);
      assert.equal(status, 0, stdout);
      assert.match(stdout, /the dump is of node node-1, as the address 192\.168\.10\.1 shows/);
      assert.doesNotMatch(stdout, /K8N507.*once more/);
    }
  });

  for (const [mode, version] of [
    ['iptables', '1.36'],
    ['ipvs', '1.24'],
    ['nftables', '1.29'],
  ] as const) {
    const compiled = () => {
      const target = ['--node', 'node-2', '--mode', mode, '--kube-version', version, '--family', 'ipv4'];
      const { status, stdout, stderr } = runCli(['compile', '-q', '-f', ranges, ...target]);
      assert.equal(status, 0, stderr);
      return stdout;
    };
    const rangesDiff = (input: string, objects = ranges) => runCli(['diff', '-f', objects, '-'], { input });

    it(`decides whether source ranges allow it, which the rules show where it is unknown: ${mode} in ${version}`, () => {
      for (const objects of [ranges, withoutNodes]) {
        const { status, stdout } = rangesDiff(compiled(), objects);
        assert.equal(status, 0, stdout);
        assert.match(stdout, /^2 Services: 2 same$/m);
        assert.doesNotMatch(stdout, /the dump is of node/);
      }
    });

    it(`does not matter to source ranges that hold no Node: ${mode} in ${version}`, () => {
      const dump = compiled();
      const damaged = dump.replaceAll('198.51.100.0/24', '198.51.0.0/16');
      assert.notEqual(damaged, dump);
      const { status, stdout } = rangesDiff(damaged);
      assert.equal(status, 1, stdout);
      assert.match(stdout, /198\.51\.0\.0\/16/);
    });
  }

  it('has a range of its own in each family: one may hold it and the other not', () => {
    const service = 'kubernetes.io/service-name';
    const slices = Object.entries({ IPv4: '10.244.1.1', IPv6: 'fd00:244::1' }).map(([addressType, address]) => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: addressType.toLowerCase(), namespace: 'shop', labels: { [service]: 'both' } },
      addressType,
      ports: [{ port: 8080 }],
      endpoints: [{ addresses: [address], nodeName: 'node-1' }],
    }));
    const objects = [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'both', namespace: 'shop' },
        spec: {
          type: 'LoadBalancer',
          clusterIP: '10.96.0.1',
          clusterIPs: ['10.96.0.1', 'fd00:96::1'],
          ipFamilies: ['IPv4', 'IPv6'],
          ports: [{ port: 80 }],
          loadBalancerSourceRanges: ['192.168.2.0/24', '2001:db8::/32'],
        },
        status: { loadBalancer: { ingress: [{ ip: '203.0.113.1' }, { ip: '2001:db8:1::9' }] } },
      },
      ...slices,
    ];
    const file = join(folder, 'both.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    for (const [mode, version] of [
      ['iptables', '1.36'],
      ['ipvs', '1.30'],
      ['nftables', '1.29'],
    ] as const) {
      const out = join(folder, `both-${mode}`);
      const target = ['--node-ip', '192.168.2.1', '--node-ip', 'fd00:7::2', '--mode', mode, '--kube-version', version];
      const compiled = runCli(['compile', '-q', '-f', file, ...target, '--out-dir', out]);
      assert.equal(compiled.status, 0, compiled.stderr);
      const { status, stdout } = runCli(['diff', '-f', file, out]);
      assert.equal(status, 0, stdout);
      assert.match(stdout, /^1 Service: 1 same/m);
    }
  });

  it('leaves source ranges open where neither it nor the sets of IPVS mode are shown', () => {
    const target = ['--node', 'node-2', '--mode', 'ipvs', '--kube-version', '1.30', '--family', 'ipv4'];
    const compiled = runCli(['compile', '-q', '-f', ranges, ...target]).stdout;
    const rules = compiled.slice(compiled.indexOf('*filter\n'), compiled.lastIndexOf('COMMIT\n') + 'COMMIT\n'.length);
    assert.match(rules, /KUBE-LOAD-BALANCER-SOURCE-IP/);
    for (const objects of [ranges, withoutNodes]) {
      const { status, stdout } = runCli(['diff', '-f', objects, '-'], { input: rules });
      assert.equal(status, 0, stdout);
      assert.match(stdout, /nothing shows which Node the dump is of: .*Services that depend on it \(.*shop\/near\)/);
    }
  });

  it('is not guessed from a dump that was cut: what depends on it is not compared, and a note says so', () => {
    let unknown = 0;
    for (const [scenario] of dumps) {
      const lines = readFileSync(join(root, saved(scenario)), 'utf8').split('\n');
      for (const share of [0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97]) {
        const text = lines.slice(0, Math.floor(lines.length * share)).join('\n');
        const { status, stdout } = diff(scenario, ['-'], text);
        assert.ok(status === 0 || status === 3, `${scenario} ${share}\n${stdout}`);
        assert.doesNotMatch(stdout, /the dump is of node node-[23]/);
        assert.ok(/the dump is of node/.test(stdout) || !stdout.includes('K8N502'), stdout);
        if (/nothing shows which Node the dump is of.* Services that depend on it \(default\//.test(stdout))
          unknown += 1;
      }
    }
    assert.ok(unknown > 5, `${unknown}`);
  });

  it('is not guessed where Services ask for its zone', () => {
    const { status, stdout } = diff('topology-hints', ['--family', 'ipv4', saved('topology-hints')]);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /nothing shows which Node the dump is of: its own endpoints are not compared/);
  });

  it('is the one whose endpoints IPVS mode masquerades where they reach themselves, with Nodes or without', () => {
    for (const scenario of ['nodeport-basic', 'policy-itp-local']) {
      const { status, stdout } = diff(scenario, [`golden/recorded/services/${scenario}/ipvs/ipset.v4.save`]);
      assert.equal(status, 0, stdout);
      assert.match(stdout, /the dump is of node node-1, as the endpoint 10\.244\.1\.\d+ on it shows/);
    }
    const target = ['--node', 'node-1', '--mode', 'ipvs', '--kube-version', '1.30', '--family', 'ipv4'];
    const input = runCli(['compile', '-q', '-f', ranges, ...target]).stdout;
    const { stdout } = runCli(['diff', '-f', withoutNodes, '-'], { input });
    assert.match(stdout, /the dump is of node node-1, as the endpoint 10\.244\.1\.\d on it shows/);
  });

  it('still lacks a Service of which it has nothing', () => {
    const text = readFileSync(join(root, saved('topology-hints')), 'utf8').replace(
      /^-A KUBE-SERVICES .*default\/auto:http.*\n/gm,
      '',
    );
    const { status, stdout } = diff('topology-hints', ['-'], text);
    assert.equal(status, 1);
    assert.match(stdout, /error K8N201 .*\n/);
  });

  it('is the one with --node, whatever the dump shows', () => {
    const { status, stdout } = diff('nodeport-etp-local', ['--node', 'node-2', saved('nodeport-etp-local')]);
    assert.equal(status, 1);
    assert.doesNotMatch(stdout, /the dump is of node/);
  });

  it('is the one that is asked about, where nothing else shows it', () => {
    const dump = 'golden/recorded/services/nodeport-basic/iptables/iptables.v4.save';
    const manifests = ['-f', 'fixtures/services/nodeport-basic/manifests.yaml'];
    const why = runCli(['why', dump, ...manifests, '--from', 'outside', '--to', '192.168.10.2:30080']);
    assert.match(why.stdout, /^It arrives/);
    assert.match(
      why.stderr,
      /note node-from-dump: the dump is taken to be of node node-2, which has the address 192\.168\.10\.2/,
    );
    const other = runCli([
      'why',
      dump,
      ...manifests,
      '--from',
      'outside',
      '--to',
      '192.168.10.2:30080',
      '--node',
      'node-2',
    ]);
    assert.equal(other.stdout, why.stdout);
  });

  it('is none where endpoints of two Nodes are shown as its own', () => {
    const text = readFileSync(join(root, saved('nodeport-etp-local')), 'utf8');
    const remote = /^-A (KUBE-SEP-\S+) -s 10\.244\.2\.8\/32/m.exec(text)?.[1];
    assert.ok(remote);
    const edited = text.replace(/^(-A KUBE-SVL-\S+ .*-j )KUBE-SEP-\S+$/m, `$1${remote}`);
    assert.notEqual(edited, text);
    const { stdout, stderr } = diff('nodeport-etp-local', ['-'], edited);
    assert.doesNotMatch(stdout, /the dump is of node/);
    assert.match(stderr, /node-not-chosen/);
  });

  it('is none that has the endpoints which a policy Local lacks', () => {
    const run = runCli([
      'compile',
      '-f',
      'fixtures/services/nodeport-etp-local/manifests.yaml',
      '--node',
      'node-3',
      '--family',
      'ipv4',
    ]);
    assert.equal(run.status, 0, run.stderr);
    const { status, stdout } = diff('nodeport-etp-local', ['-'], run.stdout);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /the dump is of node node-3, as /);
  });
});

function saved(scenario: string): string {
  return `golden/recorded/services/${scenario}/iptables/iptables.v4.save`;
}

describe('node ports in IPVS mode, where no Node is among the objects', () => {
  const withPorts = 'nodeport-same-number-protocols';
  const objects = join(folder, 'node-ports.yaml');
  const documents = parseAllDocuments(
    readFileSync(join(root, `fixtures/services/${withPorts}/manifests.yaml`), 'utf8'),
  );
  writeFileSync(objects, documents.filter((document) => document.get('kind') !== 'Node').join(''));
  const dump = (name: string) => `golden/recorded/services/${withPorts}/ipvs/${name}`;

  for (const files of [['iptables.v4.save'], ['ipset.v4.save'], ['iptables.v4.save', 'ipset.v4.save']]) {
    it(`are open, as what is given of the node shows: ${files.join(', ')}`, () => {
      const { status, stdout } = runCli(['diff', '-f', objects, ...files.map(dump)]);
      assert.equal(status, 0, stdout);
      assert.doesNotMatch(stdout, /K8N7\d\d/);
    });
  }

  for (const protocol of ['TCP', 'UDP']) {
    it(`are missed where a set lost its members: ${protocol}`, () => {
      const whole = readFileSync(join(root, dump('ipset.v4.save')), 'utf8');
      const damaged = whole.replace(new RegExp(`^add KUBE-NODE-PORT-${protocol} .*\\n`, 'gm'), '');
      assert.notEqual(damaged, whole);
      const { status, stdout } = runCli(['diff', '-f', objects, '-'], { input: damaged });
      assert.equal(status, 1, stdout);
      assert.match(stdout, new RegExp(`K8N702 the set KUBE-NODE-PORT-${protocol} lacks `));
    });
  }
});
