import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-contested-'));
after(() => rmSync(folder, { recursive: true }));

describe('EndpointSlices that disagree about an address', () => {
  const others = slice('web-3', '10.244.5.58', true);
  const both = write('both.yaml', [slice('web-1', '10.244.5.57', false), slice('web-2', '10.244.5.57', true), others]);
  const nodes = {
    'the ready entry': [slice('web-2', '10.244.5.57', true), others],
    'the other entry': [slice('web-1', '10.244.5.57', false), others],
  };
  for (const mode of ['iptables', 'nftables'])
    for (const [which, slices] of Object.entries(nodes))
      it(`are no difference where ${which} counts in ${mode} mode`, () => {
        const { status, stdout } = compare(both, dumpOf(write('node.yaml', slices), mode), mode);
        assert.equal(status, 0, stdout);
        assert.match(stdout, /info K8N906 EndpointSlices of shop\/web disagree about 10\.244\.5\.57/);
      });

  it('hide no other difference', () => {
    const dump = dumpOf(write('node.yaml', [slice('web-2', '10.244.5.57', true)]), 'iptables');
    const { status, stdout } = compare(both, dump, 'iptables');
    assert.equal(status, 1);
    assert.match(stdout, /K8N204 .* sends nothing to 10\.244\.5\.58/);
  });

  it('are not spoken of where they agree', () => {
    const agreed = [slice('web-1', '10.244.5.57', true), slice('web-2', '10.244.5.57', true), others];
    const file = write('agreed.yaml', agreed);
    const { status, stdout } = compare(file, dumpOf(file, 'nftables'), 'nftables');
    assert.equal(status, 0);
    assert.doesNotMatch(stdout, /K8N906/);
  });
});

function compare(manifests: string, dump: string, mode: string) {
  return runCli(['diff', '-f', manifests, '--node', 'n1', '--mode', mode, dump]);
}

function dumpOf(manifests: string, mode: string): string {
  const asked = ['compile', '-f', manifests, '--node', 'n1', '--mode', mode, '--family', 'ipv4', '-o', 'save', '-q'];
  const { status, stdout, stderr } = runCli(asked);
  assert.equal(status, 0, stderr);
  const file = join(folder, `${mode}.save`);
  writeFileSync(file, stdout);
  return file;
}

function write(name: string, slices: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, [service(), ...slices].join('---\n'));
  return file;
}

function service(): string {
  return `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {clusterIP: 10.96.0.10, ports: [{port: 80, targetPort: 8080}]}
`;
}

function slice(name: string, address: string, ready: boolean): string {
  return `apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: ${name}, namespace: shop, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
ports: [{name: "", port: 8080, protocol: TCP}]
endpoints: [{addresses: ["${address}"], nodeName: n2, conditions: {ready: ${ready}}}]
`;
}
