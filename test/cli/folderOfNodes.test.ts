import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** A folder with a file or a folder for each node: their rules together are those of none. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-nodes-'));
after(() => rmSync(folder, { recursive: true }));

const node = (number: number) => `---
apiVersion: v1
kind: Node
metadata: {name: n${number}}
spec: {podCIDRs: [10.244.${number}.0/24, "fd00:${number}::/64"]}
status: {addresses: [{type: InternalIP, address: 192.168.7.${number}}, {type: InternalIP, address: "fd00:7::${number}"}]}
`;
const slice = (type: string, ...addresses: readonly [string, string]) => `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-${type.toLowerCase()}, namespace: shop, labels: {kubernetes.io/service-name: web}}
addressType: ${type}
endpoints: [${addresses.map((one, at) => `{addresses: ["${one}"], nodeName: n${at + 1}}`).join(', ')}]
ports: [{name: http, protocol: TCP, port: 8080}]
`;
const objects = join(folder, 'cluster.yaml');
writeFileSync(
  objects,
  `${node(1)}${node(2)}---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: NodePort
  externalTrafficPolicy: Local
  clusterIP: 10.96.0.10
  clusterIPs: [10.96.0.10, "fd00:96::10"]
  ipFamilies: [IPv4, IPv6]
  ipFamilyPolicy: RequireDualStack
  ports: [{name: http, port: 80, nodePort: 30080}]
${slice('IPv4', '10.244.1.10', '10.244.2.10')}${slice('IPv6', 'fd00:1::10', 'fd00:2::10')}`,
);

function rules(mode: string, node: string, family: 'ipv4' | 'ipv6'): string {
  const { status, stdout, stderr } = runCli([
    ...['compile', '-q', '-f', objects, '--node', node, '--mode', mode, '--family', family],
    ...['--cluster-cidr', '10.244.0.0/16,fd00::/16', '-o', 'save'],
  ]);
  assert.equal(status, 0, stderr);
  return stdout;
}

/** A folder with these files. */
function filled(name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, name, file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
  return join(folder, name);
}

const iptables = (node: string) => rules('iptables', node, 'ipv4');
const folders: Readonly<Record<string, string>> = {
  'files of iptables-save': filled('saves', {
    'n1.save': iptables('n1'),
    'n2.save': iptables('n2'),
    README: 'two nodes\n',
  }),
  'files of nft': filled('listings', {
    'n1.nft': rules('nftables', 'n1', 'ipv4'),
    'n2.nft': rules('nftables', 'n2', 'ipv4'),
  }),
  folders: filled('folders', { 'n1/iptables.save': iptables('n1'), 'n2/iptables.save': iptables('n2') }),
};

for (const [what, path] of Object.entries(folders)) {
  describe(`a folder with ${what} of two nodes`, () => {
    it('is two nodes to check-service', () => {
      const { status, stdout } = runCli(['check-service', 'shop/web', '-f', objects, path]);
      assert.match(stdout, /^shop\/web is in order, as far as it was looked at\./);
      for (const name of ['n1', 'n2']) assert.match(stdout, new RegExp(`^ +node ${name} `, 'm'));
      assert.equal(status, 0);
    });
    for (const words of [
      ['why', '--from', 'node', '--to', '10.96.0.10:80'],
      ['trace', '--from', 'node', '--to', '10.96.0.10:80'],
      ['import'],
      ['convert', '--to', 'nftables'],
    ]) {
      it(`is refused by ${words[0]}, which looks at one`, () => {
        const { status, stdout, stderr } = runCli([...words, path]);
        assert.match(stderr, /one node is looked at here, and \S+ holds 2 nodes: n1\S*, n2/);
        assert.match(stderr, /hint: name the one that is meant: \S+\/n1/);
        assert.equal(stdout, '');
        assert.equal(status, 2);
      });
    }
  });
}

describe('files of two nodes', () => {
  const files = ['n1.save', 'n2.save'].map((name) => join(folder, 'saves', name));

  it('are two nodes to check-service', () => {
    const { status, stdout } = runCli(['check-service', 'shop/web', '-f', objects, ...files]);
    assert.match(stdout, /^shop\/web is in order/);
    for (const name of ['n1', 'n2']) assert.match(stdout, new RegExp(`^ +node ${name} `, 'm'));
    assert.equal(status, 0);
  });
  for (const [name, ending] of [
    ['saves', 'save'],
    ['listings', 'nft'],
  ] as const) {
    it(`are walked one after the other by why, which says so (${ending})`, () => {
      const dumps = ['n1', 'n2'].map((node) => join(folder, name, `${node}.${ending}`));
      const { stdout } = runCli(['why', ...dumps, '--from', 'node', '--to', '10.96.0.10:80']);
      assert.match(
        stdout,
        new RegExp(`^assumed: one node: \\S+n1\\.${ending}, \\S+n2\\.${ending} hold the table`, 'm'),
      );
    });
  }
});

it('files of one node are one node, however they are called', () => {
  const one = filled('one', { first: iptables('n1'), second: rules('iptables', 'n1', 'ipv6'), notes: 'of n1\n' });
  const { status, stderr } = runCli([
    'why',
    one,
    '--node-ip',
    '192.168.7.1',
    '--from',
    'node',
    '--to',
    '10.96.0.10:80',
  ]);
  assert.doesNotMatch(stderr, /one node is looked at/);
  assert.equal(status, 0, stderr);
  assert.match(runCli(['check-service', 'shop/web', '-f', objects, one]).stdout, /^shop\/web is in order/);
  const files = ['first', 'second'].map((name) => join(one, name));
  assert.match(runCli(['check-service', 'shop/web', '-f', objects, ...files]).stdout, /^shop\/web is in order/);
});
