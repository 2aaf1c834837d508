import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** nodePortAddresses that nobody told `diff`: rules show it, and it is no damage. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-node-ports-'));
after(() => rmSync(folder, { recursive: true }));

const slice = (family: string, address: string) => `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: np-${family.toLowerCase()}, namespace: shop, labels: {kubernetes.io/service-name: np}}
addressType: ${family}
endpoints: [{addresses: ["${address}"], nodeName: n1}]
ports: [{name: http, protocol: TCP, port: 8080}]
`;
const objects = join(folder, 'objects.yaml');
writeFileSync(
  objects,
  `apiVersion: v1
kind: Node
metadata: {name: n1}
spec: {podCIDRs: [10.244.1.0/24, "fd00:10:1::/64"]}
status: {addresses: [{type: InternalIP, address: 192.168.7.1}, {type: InternalIP, address: "fd77::1"}]}
---
apiVersion: v1
kind: Service
metadata: {name: np, namespace: shop}
spec:
  type: NodePort
  clusterIP: 10.96.0.6
  clusterIPs: [10.96.0.6, "fd00:96::6"]
  ipFamilyPolicy: RequireDualStack
  ipFamilies: [IPv4, IPv6]
  ports: [{name: http, port: 80, nodePort: 30006}]
${slice('IPv4', '10.244.1.6')}${slice('IPv6', 'fd00:10:1::6')}`,
);
const addresses = join(folder, 'addresses.txt');
writeFileSync(
  addresses,
  `2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc fq state UP group default qlen 1000
    link/ether 52:54:00:12:34:56 brd ff:ff:ff:ff:ff:ff
    inet 192.168.7.1/24 brd 192.168.7.255 scope global eth0
    inet6 fd77::1/64 scope global
3: eth1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc fq state UP group default qlen 1000
    link/ether 52:54:00:12:34:57 brd ff:ff:ff:ff:ff:ff
    inet 172.31.0.1/24 brd 172.31.0.255 scope global eth1
`,
);

function dumpOf(mode: string, version: string, nodePortAddresses: string): string {
  const file = join(folder, `${mode}-${version}.txt`);
  const target = ['--node', 'n1', '--mode', mode, '--kube-version', version, '--node-address', '172.31.0.1/24'];
  const asked = nodePortAddresses === '' ? [] : ['--nodeport-addresses', nodePortAddresses];
  const texts = ['ipv4', 'ipv6'].map((family) => {
    const all = ['compile', '-q', '-f', objects, ...target, ...asked, '--family', family];
    const { status, stdout, stderr } = runCli(all);
    assert.equal(status, 0, stderr);
    return stdout;
  });
  writeFileSync(file, texts.join('\n'));
  return file;
}

const known = ['', '192.168.7.0/24', '0.0.0.0/0,::/0', 'fd77::/64', '192.168.7.0/24,fd77::/64', '127.0.0.0/8'];
const further = ['172.31.0.0/16', '192.168.7.0/24,172.31.0.0/16', '172.31.0.0/16,fd77::/64'];

for (const [mode, version] of [
  ['iptables', '1.24'],
  ['iptables', '1.36'],
  ['nftables', '1.29'],
  ['nftables', '1.31'],
  ['nftables', '1.36'],
] as const) {
  describe(`node ports of ${mode} mode in ${version}, nodePortAddresses not given`, () => {
    const diff = (dump: string, ...more: readonly string[]) => {
      const { status, stdout } = runCli([
        'diff',
        '-f',
        objects,
        '--node',
        'n1',
        '--kube-version',
        version,
        ...more,
        dump,
      ]);
      assert.equal(status, 0, stdout);
      return stdout;
    };

    for (const asked of known)
      it(`takes ${asked === '' ? 'the default' : asked} from the rules`, () => {
        const said = diff(dumpOf(mode, version, asked));
        if (asked === '') assert.doesNotMatch(said, /--nodeport-addresses/);
        // In this mode they are never open on loopback.
        if (mode === 'nftables') assert.doesNotMatch(said, /node ports answer on 127/);
      });

    for (const asked of further)
      it(`takes ${asked} from the rules where \`ip addr\` shows the address`, () => {
        const said = diff(dumpOf(mode, version, asked), '--addresses', addresses);
        assert.match(said, /settings as the dump shows them: .*--nodeport-addresses [^ ]*172\.31\.0\.1\/32/);
      });
  });
}

describe('a node port set of nftables mode', () => {
  const target = ['-f', objects, '--node', 'n1', '--kube-version', '1.36'];
  const whole = runCli(['compile', '-q', ...target, '--mode', 'nftables']).stdout;
  const diffWithout = (part: RegExp) => {
    const input = whole.replace(part, '');
    assert.notEqual(input, whole);
    return runCli(['diff', ...target, '-'], { input });
  };

  it('that lost an element is no setting', () => {
    const { status, stdout } = diffWithout(/\n\t\telements = \{ 192\.168\.7\.1 \}/);
    assert.equal(status, 1);
    assert.match(stdout, /K8N702 set nodeport-ips lacks 192\.168\.7\.1/);
  });

  it('that is not shown, while rules ask for it, is no setting', () => {
    assert.doesNotMatch(diffWithout(/\n\tset nodeport-ips \{[^}]*\{[^}]*\}\n\t\}/).stdout, /--nodeport-addresses/);
  });
});

describe('a listing of nftables mode without rules', () => {
  it('shows no setting', () => {
    const target = ['-f', objects, '--node', 'n1', '--kube-version', '1.36'];
    const whole = runCli(['compile', '-q', ...target, '--mode', 'nftables', '--family', 'ipv4']).stdout;
    const maps = whole.match(/^\tmap [\s\S]*?^\t\}\n/gm) ?? [];
    assert.ok(maps.length > 2);
    const { stdout } = runCli(['diff', ...target, '-'], { input: `table ip kube-proxy {\n${maps.join('')}}\n` });
    assert.match(stdout, /1 not compared/);
    assert.doesNotMatch(stdout, /--nodeport-addresses/);
  });
});

describe('node ports that answer nowhere', () => {
  const closed = ['--nodeport-addresses', '198.51.100.0/24,2001:db8:9::/64'];
  for (const mode of ['iptables', 'ipvs']) {
    const target = ['-f', objects, '--node', 'n1', '--mode', mode, '--kube-version', '1.34'];
    const dump = join(folder, `closed-${mode}`);
    const diff = () => runCli(['diff', '-q', ...target, dump]);

    it(`may be meant in ${mode} mode, and nothing else is said of them`, () => {
      assert.equal(runCli(['compile', '-q', ...target, ...closed, '--out-dir', dump]).status, 0);
      const { status, stdout } = diff();
      assert.equal(status, 1, stdout);
      assert.deepEqual([...new Set(stdout.match(/K8N\d+/g))], ['K8N201'], stdout);
      assert.match(stdout, /why .*, or it runs with other `nodePortAddresses` than those given here\.$/m);
      assert.equal(runCli(['diff', '-q', ...target, ...closed, dump]).status, 0);
    });
  }

  it('are lost where others answer at the address', () => {
    const twoPorts = join(folder, 'twoPorts.yaml');
    const other = readFileSync(objects, 'utf8').replace(
      'nodePort: 30006}',
      'nodePort: 30006}, {name: b, port: 81, nodePort: 30007}',
    );
    writeFileSync(twoPorts, other);
    const target = ['-f', twoPorts, '--node', 'n1', '--mode', 'ipvs', '--kube-version', '1.34'];
    const dump = join(folder, 'lost-ipvs');
    assert.equal(runCli(['compile', '-q', ...target, '--out-dir', dump]).status, 0);
    const servers = join(dump, 'ipvsadm.v4.save');
    const lines = readFileSync(servers, 'utf8').split('\n');
    writeFileSync(servers, lines.filter((line) => !line.includes('192.168.7.1:30006')).join('\n'));
    const { stdout } = runCli(['diff', '-q', ...target, dump]);
    assert.match(stdout, /K8N201 no virtual server for 192\.168\.7\.1:30006\/tcp/);
    assert.doesNotMatch(stdout, /nodePortAddresses/);
  });
});

describe('node ports of ipvs mode that the settings given leave out', () => {
  for (const version of ['1.20', '1.24', '1.36']) {
    const target = ['--node', 'n1', '--mode', 'ipvs', '--kube-version', version];
    const lacking = join(folder, 'lacking.yaml');
    writeFileSync(
      lacking,
      `${readFileSync(objects, 'utf8')}---\napiVersion: v1\nkind: Service\nmetadata: {name: other, namespace: shop}\nspec: {clusterIP: 10.96.0.7, ports: [{port: 80}]}\n`,
    );

    it(`are named with their Services, ${version}`, () => {
      const closed = [...target, '--nodeport-addresses', '198.51.100.0/24,2001:db8:9::/64'];
      // Objects that are not all of the cluster's leave out what the dump holds beyond them, and not this.
      for (const given of [objects, lacking]) {
        const dump = join(folder, `ipvs-${version}-${given === objects ? 'all' : 'lacking'}`);
        assert.equal(runCli(['compile', '-q', '-f', given, ...target, '--out-dir', dump]).status, 0);
        const { status, stdout } = runCli(['diff', '-q', '-f', given, ...closed, dump]);
        assert.equal(status, 1, stdout);
        assert.match(stdout, /^shop\/np:http$/m);
        // Through 1.20, dual-stack needs a feature gate.
        for (const address of version === '1.20' ? ['192.168.7.1'] : ['192.168.7.1', 'fd77::1'])
          assert.ok(stdout.includes(`K8N507 node port 30006/tcp answers on ${address}, which the settings`), stdout);
        assert.match(stdout, /K8N702 the set KUBE-NODE-PORT-TCP holds 30006, and should not/);
        assert.doesNotMatch(stdout, /K8N202|K8N408|masqueradeAll|no Service/);
        assert.equal(runCli(['diff', '-q', '-f', given, ...target, dump]).status, 0);
      }
    });
  }
});
