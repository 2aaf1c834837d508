import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-shared-'));
after(() => rmSync(folder, { recursive: true }));

/** kube-proxy goes through its Services in no order. */
describe('an external IP of two Services', () => {
  const manifests = file('services.yaml', ['a', 'b'].map(service).join('---\n'));
  const target = ['-f', manifests, '--node', 'n1', '--cluster-cidr', '10.244.0.0/16'];
  const saved = (mode: string) => {
    const asked = ['compile', ...target, '--mode', mode, '--family', 'ipv4', '-o', 'save', '-q'];
    return runCli(asked).stdout;
  };
  const compared = (mode: string, text: string) =>
    runCli(['diff', ...target, '--mode', mode, file(`${mode}.save`, text)]);

  it('may be the one or the other in nftables mode', () => {
    const text = saved('nftables');
    const [, own] = /203\.0\.113\.9 \. tcp \. 80 : goto (\S+?),?\s/.exec(text) ?? [];
    const other = [...text.matchAll(/chain (external-\S+) /g)].map(([, chain]) => chain).find((chain) => chain !== own);
    const { status, stdout } = compared('nftables', text.replace(`80 : goto ${own}`, `80 : goto ${other}`));
    assert.equal(status, 0, stdout);
    assert.match(stdout, /K8N903/);
  });

  it('may have its rules in either order in iptables mode', () => {
    const lines = saved('iptables').split('\n');
    const [first = 0, second = 0] = lines.flatMap((line, at) =>
      line.startsWith('-A KUBE-SERVICES -d 203.0.113.9') ? [at] : [],
    );
    [lines[first], lines[second]] = [lines[second] as string, lines[first] as string];
    const { status, stdout } = compared('iptables', lines.join('\n'));
    assert.equal(status, 0, stdout);
    assert.match(stdout, /K8N903/);
  });

  it('is missing where no rule has it', () => {
    const { status, stdout } = compared('iptables', saved('iptables').replaceAll(/^-A .*203\.0\.113\.9.*\n/gm, ''));
    assert.equal(status, 1);
    assert.match(stdout, /K8N201 no rule for external IP 203\.0\.113\.9:80\/tcp/);
  });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function service(name: string, at: number): string {
  return `apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {clusterIP: 10.96.0.1${at}, externalIPs: [203.0.113.9], ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: ${name}-1, namespace: shop, labels: {kubernetes.io/service-name: ${name}}}
addressType: IPv4
ports: [{name: "", port: 8080}]
endpoints: [{addresses: [10.244.0.${at + 2}], nodeName: n1}]
`;
}
