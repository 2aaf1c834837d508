import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';
import { localWeb, nodeAt } from './localWeb.ts';

/** A Service that a label leaves to another proxy: kube-proxy has no rules for it, and its endpoints are in order. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-other-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const proxyName = 'service.kubernetes.io/service-proxy-name';
const headless = 'service.kubernetes.io/headless';

function objectsWith(label: string, kind = 'Service'): string {
  const path = join(folder, `${kind}-${label.split('/')[1]}.json`);
  const items = [
    nodeAt('n1', '192.0.2.1'),
    ...localWeb([{ nodeName: 'n1', address: '10.244.1.7' }]).map((object) => {
      const { metadata, ...own } = object as {
        readonly kind: string;
        readonly metadata: { readonly labels?: object };
      };
      const labels = { ...metadata.labels, ...(own.kind === kind && { [label]: 'x' }) };
      return { ...own, metadata: { ...metadata, labels } };
    }),
  ];
  writeFileSync(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  return path;
}

function check(file: string, ...more: readonly string[]) {
  const { status, stdout } = runCli(['check-service', 'shop/web', '-f', file, '--node', 'n1', ...more, '-o', 'json']);
  const { verdict, causes, remarks, looked } = JSON.parse(stdout) as {
    readonly verdict: string;
    readonly causes: readonly { readonly sentence: string; readonly fix: string }[];
    readonly remarks: readonly { readonly text: string }[];
    readonly looked: readonly { readonly what: string; readonly seen: readonly string[] }[];
  };
  return { status, verdict, causes, said: remarks.map(({ text }) => text).join('\n'), looked };
}

function dumpOf(file: string, version: string): string {
  const path = join(folder, `n1-${version}`);
  runCli(['compile', '-q', '-f', file, '--node', 'n1', '--kube-version', version, '--out-dir', path]);
  return path;
}

describe('a Service that a label leaves to another proxy', () => {
  it('is neither broken nor in order: only that proxy knows', () => {
    const { status, verdict, causes, said, looked } = check(objectsWith(proxyName));
    assert.deepEqual([status, verdict, causes], [3, 'unknown', []]);
    assert.match(said, /the label service\.kubernetes\.io\/service-proxy-name leaves the Service to another proxy/);
    assert.match(said, /kubectl -n shop label service web service\.kubernetes\.io\/service-proxy-name-/);
    assert.ok(looked.some(({ what }) => what === 'nodes'));
    assert.ok(looked[0]?.seen.some((line) => line.startsWith('1 endpoint, 1 ready; 1 of 1 port')));
  });

  it('is so on the nodes whose version knows the label', () => {
    const file = objectsWith(headless);
    const old = check(file, dumpOf(file, '1.35'));
    assert.deepEqual([old.verdict, old.causes], ['unknown', []]);
    assert.match(old.said, /node n1: its version of kube-proxy leaves the Service to another proxy/);
    const told = check(file, '--kube-version', '1.35');
    assert.deepEqual([told.verdict, told.causes], ['unknown', []]);
    const now = check(file, dumpOf(file, '1.37'));
    assert.equal(now.verdict, 'in-order');
    assert.ok(!now.said.includes('another proxy'), now.said);
  });

  it('may have EndpointSlices that a label hides alone', () => {
    const file = objectsWith(headless, 'EndpointSlice');
    const { verdict, causes } = check(file);
    assert.equal(verdict, 'broken');
    assert.match(
      causes[0]?.sentence ?? '',
      /reads no EndpointSlice of Service shop\/web: the label service\.kubernetes\.io\/headless leaves the only one/,
    );
    assert.match(causes[0]?.fix ?? '', /label endpointslice web service\.kubernetes\.io\/headless-/);
  });
});
