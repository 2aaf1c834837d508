import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** K8N401: a rule that marks what comes from outside the cluster is lost, or kube-proxy runs with other settings. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-unmarked-'));
after(() => rmSync(folder, { recursive: true }));

const service = (name: string, number: number) => `---
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {clusterIP: 10.96.0.${number}, ports: [{name: http, port: 80}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: ${name}-1, namespace: shop, labels: {kubernetes.io/service-name: ${name}}}
addressType: IPv4
endpoints: [{addresses: ["10.244.1.${number}"]}]
ports: [{name: http, protocol: TCP, port: 8080}]
`;
const objects = join(folder, 'objects.yaml');
writeFileSync(objects, ['one', 'two', 'three'].map((name, at) => service(name, at + 1)).join(''));

interface Finding {
  readonly id: string;
  readonly service?: string;
  readonly why: string;
  readonly fix: string;
}

function savedWith(mode: string, version: string, ...settings: readonly string[]): string {
  const target = ['--mode', mode, '--kube-version', version, ...settings];
  const { status, stdout, stderr } = runCli(['compile', '-q', '-f', objects, ...target]);
  assert.equal(status, 0, stderr);
  return stdout;
}

function unmarked(dump: string, mode: string, version: string): readonly Finding[] {
  const target = ['--mode', mode, '--kube-version', version, '--cluster-cidr', '10.244.0.0/16'];
  const { stdout, stderr } = runCli(['diff', '-f', objects, ...target, '-', '-o', 'json'], { input: dump });
  assert.notEqual(stdout, '', stderr);
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  return findings.filter(({ id }) => id === 'K8N401');
}

const marks = (line: string) =>
  line.includes('10.96.0.1') && /! -s|saddr !=/.test(line) && /KUBE-MARK-MASQ|mark-for-masquerade/.test(line);

for (const [mode, version] of [
  ['iptables', '1.17'],
  ['iptables', '1.24'],
  ['iptables', '1.36'],
  ['nftables', '1.33'],
] as const) {
  describe(`a rule for traffic from outside in ${mode} mode of ${version}`, () => {
    const whole = savedWith(mode, version, '--cluster-cidr', '10.244.0.0/16');

    it('was lost where the others are there', () => {
      const lines = whole.split('\n');
      const left = lines.filter((line) => !marks(line));
      assert.equal(left.length, lines.length - 1);
      const found = unmarked(left.join('\n'), mode, version);
      assert.deepEqual(
        found.map((one) => one.service),
        ['shop/one:http'],
      );
      assert.match(found[0]?.fix ?? '', /^Restart kube-proxy/);
      const { stdout } = runCli(
        ['check-service', 'shop/one', '-f', objects, '--mode', mode, '--kube-version', version, '-'],
        {
          input: left.join('\n'),
        },
      );
      assert.match(stdout, /as they should be, but for what is worth knowing/);
      assert.match(stdout, /worth knowing:\n(?: .*\n)* {2}K8N401: /);
    });

    it('has another range where kube-proxy has one', () => {
      const found = unmarked(savedWith(mode, version, '--cluster-cidr', '10.0.0.0/8'), mode, version);
      assert.equal(found.length, 3);
      for (const { why, fix } of found) {
        assert.match(why, /another clusterCIDR/);
        assert.doesNotMatch(fix, /^Restart/);
      }
    });

    it('is none where kube-proxy knows no range', () => {
      const found = unmarked(savedWith(mode, version), mode, version);
      assert.equal(found.length, 3);
      for (const { why } of found) assert.match(why, /knows no clusterCIDR/);
    });
  });
}
