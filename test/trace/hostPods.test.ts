import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** A Pod with hostNetwork has no address of its own: it sends and receives as its node does. */
const manifests = join(root, 'fixtures/healthy/kind/manifests.yaml');
const folder = mkdtempSync(join(tmpdir(), 'k8snet-host-pods-'));
after(() => rmSync(folder, { recursive: true }));
const pods = join(folder, 'pods.yaml');
const pod = (name: string, node: string, status: string) => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: monitoring}
spec: {nodeName: ${node}, hostNetwork: true, containers: [{name: c, ports: [{containerPort: 9100}]}]}
status: ${status}
`;
const here = '192.168.10.1';
const there = '192.168.10.2';
const text = [
  pod('here', 'n1', `{phase: Running, podIP: ${here}, podIPs: [{ip: ${here}}]}`),
  pod('there', 'n2', `{phase: Running, podIP: ${there}, podIPs: [{ip: ${there}}]}`),
  pod('new', 'n2', '{phase: Pending}'),
].join('---\n');
writeFileSync(pods, text);

const run = (...args: readonly string[]) => runCli([...args, '-q', '-f', manifests, '-f', pods, '--node', 'n1']);
const from = (who: string, to: string) => {
  const { status, stdout } = run('trace', '--from', who, '--to', to, '-o', 'json');
  assert.equal(status, 0, stdout);
  const { packet, outcomes } = JSON.parse(stdout);
  return { packet, outcomes };
};

describe('a Pod with hostNetwork', () => {
  it('sends as its node does', () => {
    assert.deepEqual(from('monitoring/here', '10.244.1.11:8080'), from('node', '10.244.1.11:8080'));
    assert.deepEqual(from('monitoring/there', '10.244.1.11:8080'), from('node/n2', '10.244.1.11:8080'));
  });

  it('has the addresses of its node', () => {
    const to = (who: string) => from('shop/client', `${who}:9100`);
    assert.deepEqual(to('monitoring/here'), to(here));
    assert.deepEqual(to('monitoring/there'), to(there));
    // The input shows no address of it yet.
    assert.deepEqual(to('monitoring/new'), to(there));
  });

  it('is explained, and meant by a name like its own', () => {
    const { status, stdout } = run('whois', 'monitoring/there');
    assert.equal(status, 0);
    assert.equal(stdout, `monitoring/there is a Pod with hostNetwork: it has the addresses of node n2 (${there})\n`);
    assert.match(
      run('why', '--from', 'monitoring/their', '--to', 'shop/web:80').stderr,
      /did you mean monitoring\/there\?/,
    );
  });
});
