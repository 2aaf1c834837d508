import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { longSave } from '../diff/longSave.ts';
import { drawn } from '../support/drawn.ts';
import { runCli } from '../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-long-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const manifests = join(folder, 'cluster.yaml');
writeFileSync(
  manifests,
  `kind: Service
apiVersion: v1
metadata: {name: web-1, namespace: shop}
spec: {clusterIP: 10.96.0.1, ports: [{name: http, port: 80}]}
---
kind: EndpointSlice
apiVersion: discovery.k8s.io/v1
metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web-1}}
addressType: IPv4
endpoints: [{addresses: [10.0.0.1]}]
ports: [{name: http, port: 8080}]
`,
);

const texts = {
  'of Services': longSave(),
  'without rules': '# nothing here\n'.repeat(600_000),
};

for (const [what, text] of Object.entries(texts)) {
  it(`a long dump ${what} gets the same report from its file, which a thread reads, as from its folder`, () => {
    const own = join(folder, what.replaceAll(' ', '-'));
    mkdirSync(own);
    writeFileSync(join(own, 'node.save'), text);
    const [file, whole] = [join(own, 'node.save'), own].map((path) => {
      const { status, stdout, stderr } = runCli(['diff', '-f', manifests, '--node-address', '192.0.2.1/24', path]);
      return { status, text: (stdout + stderr).replaceAll(what.replaceAll(' ', '-'), 'node.save') };
    });
    assert.deepEqual(file, whole);
    assert.equal(file?.status, what === 'without rules' ? 2 : 1);
  });
}

it('a long dump that is nearly as it should be gets the same report from its file as from its folder', () => {
  const own = join(folder, 'nearly');
  mkdirSync(own);
  const cluster = join(folder, 'cluster.json');
  writeFileSync(cluster, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manyServices() }));
  const { stdout, status } = runCli(['compile', '-q', '-f', cluster, '-o', 'save']);
  assert.equal(status, 0);
  assert.ok(stdout.length > 8 << 20);
  let seen = 0;
  const edited = stdout.replace(/(?<=--to-destination )10\.\S+/g, (address) => {
    seen += 1;
    return seen % 5000 === 0 ? '192.0.2.1:9' : address;
  });
  writeFileSync(join(own, 'node.save'), edited);
  const [file, whole] = [join(own, 'node.save'), own].map((path) => {
    const run = runCli(['diff', '-f', cluster, '-o', 'json', path]);
    const { found: _, ...report } = JSON.parse(run.stdout) as { readonly found: string; readonly findings: unknown[] };
    return { status: run.status, report, stderr: run.stderr };
  });
  assert.deepEqual(file, whole);
  assert.equal(file?.status, 1);
  assert.equal(file.report.findings.length, Math.floor(seen / 5000));
});

it('checks of a long dump, and walks through it, say the same of its file as of its folder', () => {
  const own = join(folder, 'walked');
  mkdirSync(own);
  const cluster = join(folder, 'walked.json');
  writeFileSync(cluster, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manyServices() }));
  const { stdout } = runCli(['compile', '-q', '-f', cluster, '-o', 'save']);
  const lines = stdout.split('\n');
  const shares = lines.flatMap((line, at) => (/^-A KUBE-SVC-.*statistic/.test(line) ? [at] : []));
  const [lost = -1, wrong = -1] = [shares[700], shares[9000]];
  const services = [lost, wrong].map((at) => /KUBE-SVC-\S+/.exec(lines[at] as string)?.[0] ?? '');
  const addresses = services.map((name) => {
    const entrance = lines.find((line) => line.startsWith('-A KUBE-SERVICES ') && line.endsWith(` ${name}`)) ?? '';
    return /-d ([\d.]+)/.exec(entrance)?.[1] ?? '';
  });
  lines[wrong] = (lines[wrong] as string).replace(/probability \S+/, 'probability 0.90000000000');
  lines.splice(lost, 1);
  writeFileSync(join(own, 'node.save'), lines.join('\n'));
  const questions = [
    ['doctor'],
    ['doctor', '-f', cluster],
    ...addresses.flatMap((address) => [
      ['trace', '--from', 'node', '--to', `${address}:80`],
      ['why', '-f', cluster, '--from', 'node', '--to', `${address}:80`],
    ]),
  ];
  for (const question of drawn(questions)) {
    const [file, whole] = [join(own, 'node.save'), own].map((path) => {
      const { status, stdout: said, stderr } = runCli([...question, path]);
      return { status, said: said.replaceAll(path === own ? 'in walked' : 'in node.save', ''), stderr };
    });
    assert.deepEqual(file, whole);
    assert.match(file?.said ?? '', question[0] === 'doctor' ? /K8N302/ : /arrives|leaves/);
  }
});

/** More than eight megabytes of rules. */
function manyServices(): readonly object[] {
  return Array.from({ length: 600 }, (_, at) => {
    const metadata = { name: `web-${at}`, namespace: 'shop' };
    const ports = [{ name: 'http', port: 80 }];
    const addresses = Array.from({ length: 50 }, (_, index) => `10.${128 + index}.${at >> 8}.${at & 255}`);
    return [
      { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: `10.96.${at >> 8}.${at & 255}`, ports } },
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { ...metadata, labels: { 'kubernetes.io/service-name': metadata.name } },
        addressType: 'IPv4',
        ports: [{ name: 'http', port: 8080 }],
        endpoints: addresses.map((address) => ({ addresses: [address] })),
      },
    ];
  }).flat();
}

it('names of files that cannot be looked at are complained about as any others', () => {
  const loop = join(folder, 'loop');
  symlinkSync(loop, loop);
  for (const name of [loop, 'a'.repeat(5000)]) {
    for (const args of [
      ['diff', name, name],
      ['diff', '-f', manifests, name],
    ]) {
      const { status, stderr } = runCli(args);
      assert.match(stderr, /^error cannot-read: cannot read /);
      assert.equal(status, 2);
    }
  }
});
