import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** A question that names a Service or node port, and no protocol, asks over the protocol that it has. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-protocol-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const ports = [
  { name: 'dns', port: 53, protocol: 'UDP', nodePort: 30053 },
  { name: 'dns-tcp', port: 53, protocol: 'TCP', nodePort: 30054 },
  { name: 'stats', port: 8125, protocol: 'UDP', nodePort: 30125 },
  { name: 'signal', port: 3868, protocol: 'SCTP', nodePort: 30868 },
];
const items = [
  {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n1' },
    spec: { podCIDR: '10.244.1.0/24' },
    status: { addresses: [{ type: 'InternalIP', address: '192.168.5.1' }] },
  },
  ...[ports, ports.slice(2, 3)].flatMap((of, at) => [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: `s${at}`, namespace: 'shop' },
      spec: {
        type: 'NodePort',
        clusterIP: `10.96.0.2${at}`,
        ports: of.map((one) => (at === 0 ? one : { ...one, nodePort: 31125 })),
      },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: `s${at}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': `s${at}` } },
      addressType: 'IPv4',
      ports: of.map(({ name, port, protocol }) => ({ name, port, protocol })),
      endpoints: [{ addresses: [`10.244.1.${7 + at}`], nodeName: 'n1', conditions: { ready: true } }],
    },
  ]),
];
const file = join(folder, 'cluster.json');
writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));

const asked: readonly (readonly [to: string, protocol: string])[] = [
  ['shop/s0:dns', 'udp'],
  ['shop/s0:dns-tcp', 'tcp'],
  // Over both: TCP, as everywhere.
  ['shop/s0:53', 'tcp'],
  ['shop/s0:stats', 'udp'],
  ['svc/shop/s0:3868', 'sctp'],
  ['shop/s1', 'udp'],
  ['node:30125', 'udp'],
  ['node:30868', 'sctp'],
  ['node:30054', 'tcp'],
  // Who says one gets it, and an address says nothing.
  ['shop/s0:stats/tcp', 'tcp'],
  ['10.96.0.20:8125', 'tcp'],
  ['shop/s0:9999', 'tcp'],
];

for (const mode of ['iptables', 'nftables']) {
  const dump = join(folder, mode);
  const target = ['-f', file, '--node', 'n1', '--mode', mode, '--cluster-cidr', '10.244.0.0/16'];
  describe(`the protocol of what is asked for, ${mode} mode`, () => {
    assert.equal(runCli(['compile', ...target, '--out-dir', dump]).status, 0);
    for (const [label, source] of [
      ['objects', target],
      ['rules', [dump]],
    ] as const) {
      for (const [to, protocol] of asked) {
        it(`${to}, by ${label}`, () => {
          const own = to.startsWith('node:') && label === 'rules' ? ['--node-ip', '192.168.5.1'] : [];
          const run = runCli(['trace', '--from', '10.244.1.99', '--to', to, ...own, ...source, '-o', 'json']);
          assert.equal((JSON.parse(run.stdout) as { packet: { proto: string } }).packet.proto, protocol, run.stderr);
        });
      }
    }
  });
}

it('says how to ask for a port that an address has over another protocol', () => {
  const run = runCli(['why', '-f', file, '--from', '10.244.1.99', '--to', '10.96.0.20:8125']);
  assert.match(
    run.stdout,
    /^shop\/s0 at 10\.96\.0\.20 has no port 8125\/tcp; it has 8125\/udp, 53\/udp, 53\/tcp, 3868\/sctp\.\n.* --dport 8125 /,
  );
  assert.match(run.stdout, /→ To ask for 8125\/udp, add --proto udp\. Where clients use the other protocol, /);
});

it('names the listeners of the protocol', () => {
  const listeners = (to: string) =>
    runCli(['why', '-f', file, '--from', '10.244.1.99', '--to', to]).stdout.match(/`ss [^`]*`/)?.[0];
  assert.equal(listeners('shop/s0:dns'), '`ss -lunp`');
  assert.equal(listeners('shop/s0:dns-tcp'), '`ss -ltnp`');
  assert.equal(listeners('shop/s0:signal'), '`ss -lSnp`');
});
