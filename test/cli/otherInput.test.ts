import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runCli } from '../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-other-input-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('manifests that gzip compressed', () => {
  const service = (port: number) =>
    `apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {clusterIP: 10.96.0.9, ports: [{port: ${port}}]}\n`;

  it('are read, with the places of problems', () => {
    const good = file('good.yaml.gz', gzipSync(service(80)));
    assert.match(runCli(['compile', '-f', good]).stdout, /-d 10\.96\.0\.9\/32 .* --dport 80 /);
    const bad = file('bad.yaml.gz', gzipSync(service(80000)));
    assert.match(runCli(['lint', '-f', bad]).stdout, /bad\.yaml\.gz:4:\d+ error out-of-range: 80000/);
  });

  it('are refused where their data is damaged', () => {
    const cut = file('cut.yaml.gz', gzipSync(service(80)).subarray(0, 40));
    const { status, stderr } = runCli(['compile', '-f', cut]);
    assert.equal(status, 2);
    assert.match(stderr, /cut\.yaml\.gz: its gzip data is damaged, or too long when unpacked$/m);
  });
});

describe('files that manifests are made of', () => {
  const cases = [
    ['kustomization.yaml', 'resources: [shop.yaml]\n', /hint: it is for kustomize: kubectl kustomize FOLDER \|/],
    ['Chart.yaml', 'apiVersion: v2\nname: a\nversion: 1.0.0\n', /hint: it is part of a chart of Helm: helm template/],
    ['values-prod.yaml', 'port: 80\n', /hint: it is part of a chart of Helm: helm template/],
  ] as const;
  for (const [name, text, hint] of cases) {
    it(`${name}: what renders it`, () => assert.match(runCli(['compile', '-f', file(name, text)]).stderr, hint));
  }
});
