import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** `k8snet diff --compare behaviour` as people call it. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-behaviour-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const manifests = `
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec:
  clusterIP: 10.96.0.10
  type: NodePort
  selector: { app: web }
  ports: [{ name: http, port: 80, targetPort: 8080, nodePort: 30080 }]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, namespace: shop, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
ports: [{ name: http, port: 8080 }]
endpoints:
  - { addresses: [10.244.1.7], nodeName: n1 }
  - { addresses: [10.244.2.9], nodeName: n2 }
`;
const file = join(folder, 'shop.yaml');
writeFileSync(file, manifests);
const target = ['--node', 'n1', '--node-ip', '192.0.2.1', '--cluster-cidr', '10.244.0.0/16', '--family', 'ipv4'];
const saved = (mode: string) => {
  const path = join(folder, `${mode}.save`);
  writeFileSync(path, runCli(['compile', '-q', '-f', file, '--mode', mode, ...target]).stdout);
  return path;
};
const iptables = saved('iptables');
const nftables = saved('nftables');

interface Report {
  readonly verdict: string;
  readonly summary: { readonly different: number };
  readonly findings: readonly {
    readonly entrance: string;
    readonly service: string | null;
    readonly packet: { readonly from: string; readonly to: string; readonly proto: string };
  }[];
}

describe('diff --compare behaviour', () => {
  it('finds rules the same that compile made, in iptables and in nftables mode', () => {
    for (const [mode, dump] of [
      ['iptables', iptables],
      ['nftables', nftables],
    ] as const) {
      const { status, stdout } = runCli([
        'diff',
        '--compare',
        'behaviour',
        '-f',
        file,
        '--mode',
        mode,
        ...target,
        dump,
      ]);
      assert.equal(status, 0, stdout);
      assert.match(stdout, /the same for every packet/);
    }
  });

  it('compares manifests in one mode with a dump of another, and keeps to its schema', () => {
    const { status, stdout } = runCli([
      'diff',
      '--compare',
      'behaviour',
      '-f',
      file,
      '--mode',
      'iptables',
      ...target,
      nftables,
      '-o',
      'json',
    ]);
    assert.equal(status, 1);
    const report = JSON.parse(stdout) as Report;
    const schema = JSON.parse(readFileSync(join(root, 'schema/behaviour-output.schema.json'), 'utf8'));
    const isValid = new Ajv2020({ allowUnionTypes: true }).compile(schema);
    assert.ok(isValid(report), JSON.stringify(isValid.errors));
    const others = report.findings.filter(({ packet }) => packet.to.startsWith('10.96.0.10:'));
    assert.ok(
      others.length > 0 &&
        others.every(({ packet, entrance }) => packet.to !== '10.96.0.10:80' || entrance === 'remote-endpoint'),
    );
    assert.equal(report.summary.different, report.findings.length);
  });

  it('counts all differences and shows as many as --limit says; --service and --entrance narrow', () => {
    const asked = (...more: string[]) =>
      JSON.parse(
        runCli(['diff', '--compare', 'behaviour', iptables, nftables, '-o', 'json', ...more]).stdout,
      ) as Report;
    const all = asked();
    const two = asked('--limit', '2');
    assert.equal(two.findings.length, 2);
    assert.equal(two.summary.different, all.findings.length);
    const node = asked('--entrance', 'node');
    assert.ok(node.findings.length > 0 && node.findings.every(({ entrance }) => entrance === 'node'));
    const web = asked('--service', 'shop/web');
    assert.ok(web.findings.length > 0 && web.findings.every(({ service }) => service?.startsWith('shop/web')));
  });

  it('shows a packet with each difference that trace takes and that fares so', () => {
    const broken = join(folder, 'broken.save');
    writeFileSync(broken, readFileSync(iptables, 'utf8').replace('10.244.2.9:8080\n', '10.244.2.4:8080\n'));
    const { stdout, status } = runCli(['diff', '--compare', 'behaviour', iptables, broken]);
    assert.equal(status, 1);
    assert.match(stdout, /cluster IP: answered in a, other endpoints in b/);
    const [, from = '', to = ''] =
      /k8snet trace DUMP --from (\d\S+) --to (10\.96\.0\.10:80) --proto tcp/.exec(stdout) ?? [];
    const traced = runCli(['trace', broken, '--from', from, '--to', to]);
    assert.match(traced.stdout, /10\.244\.2\.4:8080/);
  });

  it('refuses what it does not print, unknown senders and one dump alone', () => {
    for (const [args, message] of [
      [[iptables, nftables, '-o', 'sarif'], /prints text or json, not sarif/],
      [[iptables, nftables, '--entrance', 'pods'], /unknown entrance pods: choose from pod, endpoint/],
      [[iptables], /pass two dumps/],
      [[iptables, nftables, '--tolerance', 'much'], /give a share between 0 and 1/],
      [[iptables, join(folder, 'gone.save')], /gone\.save/],
    ] as const) {
      const { status, stderr } = runCli(['diff', '--compare', 'behaviour', ...args]);
      assert.equal(status, 2, stderr);
      assert.match(stderr, message);
    }
  });
});
