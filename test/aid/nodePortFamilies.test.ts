import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** A node port is one of each family, and the name `node` stands for addresses of both: each is asked for by itself. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-families-'));
after(() => rmSync(folder, { recursive: true }));

const service = (name: string, number: number, families: readonly ('IPv4' | 'IPv6')[]) => {
  const ips = families.map((family) => (family === 'IPv4' ? `10.96.0.${number}` : `"fd00:96::${number}"`));
  const slices = families.map(
    (family) => `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: ${name}-${family.toLowerCase()}, namespace: shop, labels: {kubernetes.io/service-name: ${name}}}
addressType: ${family}
endpoints: [{addresses: ["${family === 'IPv4' ? `10.244.2.${number}` : `fd00:10:2::${number}`}"], nodeName: n2}]
ports: [{name: http, protocol: TCP, port: 8080}]
`,
  );
  return `---
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec:
  type: NodePort
  clusterIP: ${ips[0]}
  clusterIPs: [${ips.join(', ')}]
  ipFamilies: [${families.join(', ')}]
  ipFamilyPolicy: ${families.length === 2 ? 'RequireDualStack' : 'SingleStack'}
  ports: [{name: http, port: 80, nodePort: 3000${number}}]
${slices.join('')}`;
};
const node = (number: number) => `---
apiVersion: v1
kind: Node
metadata: {name: n${number}}
spec: {podCIDRs: [10.244.${number}.0/24, "fd00:10:${number}::/64"]}
status: {addresses: [{type: InternalIP, address: 192.168.7.${number}}, {type: InternalIP, address: "fd77::${number}"}]}
`;
const objects = join(folder, 'objects.yaml');
writeFileSync(objects, `${node(1)}${node(2)}${service('six', 6, ['IPv6'])}${service('both', 7, ['IPv4', 'IPv6'])}`);

function savedOf(mode: string, family: string): string {
  const target = ['-f', objects, '--node', 'n1', '--mode', mode, '--kube-version', '1.36', '--family', family];
  return runCli(['compile', '-q', ...target, '--cluster-cidr', '10.244.0.0/16,fd00:10::/32']).stdout;
}

for (const mode of ['iptables', 'nftables']) {
  describe(`a node port over IPv6 in ${mode} mode`, () => {
    const [v4, v6] = ['ipv4', 'ipv6'].map((family) => savedOf(mode, family)) as [string, string];
    const target = ['-f', objects, '--node', 'n1', '--mode', mode, '--kube-version', '1.36'];
    const file = (name: string, text: string) => {
      const path = join(folder, `${mode}-${name}.txt`);
      writeFileSync(path, text);
      return path;
    };
    const healthy = file('healthy', `${v4}\n${v6}`);
    // What comes from outside is masqueraded no longer, so that answers of the other node miss this one.
    const unmarked = (text: string, name: string) =>
      text
        .split('\n')
        .filter((line, at, lines) => {
          if (mode === 'iptables')
            return !(/^-A KUBE-EXT-.* -j KUBE-MARK-MASQ$/.test(line) && line.includes(`${name}:http`));
          const chain = lines.slice(0, at).findLast((one) => one.startsWith('\tchain '));
          return !(line.startsWith('\t\tmeta mark set ') && chain?.includes('external-') && chain.includes(name));
        })
        .join('\n');

    it('is asked from the node and from outside', () => {
      for (const name of ['shop/six', 'shop/both']) {
        const { status, stdout } = runCli(['check-service', name, ...target, healthy]);
        assert.equal(status, 0, stdout);
        assert.doesNotMatch(stdout, /does not arrive|No Service has/, name);
      }
    });

    for (const name of ['shop/six', 'shop/both']) {
      it(`is broken for ${name} where packets from outside are not masqueraded`, () => {
        const damaged = unmarked(v6, name);
        assert.notEqual(damaged, v6);
        const { status, stdout } = runCli(['check-service', name, ...target, file('damaged', `${v4}\n${damaged}`)]);
        assert.equal(status, 1, stdout);
        assert.match(stdout, /a packet from outside to node port 3000\d\/tcp does not arrive/);
      });
    }

    it('is what why and trace ask for where no Service has it over IPv4', () => {
      const traced = (port: number, shown: readonly string[]) => {
        const question = ['--from', 'outside', '--to', `node:${port}`, '--node-ip', '192.168.7.1,fd77::1'];
        return runCli(['trace', ...question, ...shown, healthy]).stdout;
      };
      for (const shown of [[], target]) {
        assert.match(traced(30006, shown), /\[fd77::1\]:30006/);
        assert.match(traced(30007, shown), /192\.168\.7\.1:30007/);
      }
    });
  });
}

describe('a node port over IPv6 in IPVS mode', () => {
  const dump = join(folder, 'ipvs');
  const target = ['-f', objects, '--node', 'n1', '--mode', 'ipvs', '--kube-version', '1.36'];

  it('is asked over IPv6 where the rules alone show it', () => {
    assert.equal(runCli(['compile', '-q', ...target, '--out-dir', dump]).status, 0);
    const { stdout } = runCli(['trace', '--from', 'node', '--to', 'node:30006', dump, '-o', 'json']);
    assert.equal((JSON.parse(stdout) as { packet: { dst: string } }).packet.dst, 'fd77::1');
  });

  it('an address of kube-ipvs0 is never that of the node', () => {
    // No virtual server shows an address of the node.
    const closed = join(folder, 'ipvs-closed');
    const further = ['--nodeport-addresses', '198.51.100.0/24,2001:db8:9::/64', '--out-dir', closed];
    assert.equal(runCli(['compile', '-q', ...target, ...further]).status, 0);
    const { status, stderr } = runCli([
      'trace',
      '--from',
      'outside',
      '--to',
      'node:30007/tcp',
      '--family',
      'ipv4',
      closed,
    ]);
    assert.equal(status, 2);
    assert.match(stderr, /the node's ipv4 address is unknown: pass it with --node-ip/);
  });
});
