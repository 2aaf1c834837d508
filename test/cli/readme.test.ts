import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { compileFiles, root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

it("the README's worked example is true", async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const manifest = /```yaml\n# shop\.yaml\n([\s\S]*?)```/.exec(readme)?.[1];
  const file = join(root, 'fixtures/readme/shop.yaml');
  assert.equal(manifest, readFileSync(file, 'utf8'));
  const shown = /```console\n\$ k8snet compile -f shop\.yaml (.*) \| grep shop\n([\s\S]*?)```/.exec(readme);
  const result = await compileFiles([file], (shown?.[1] ?? '').split(' '));
  const lines = result
    .text('iptables.v4.save')
    .split('\n')
    .filter((line) => line.includes('shop'));
  assert.equal(`${lines.join('\n')}\n`, shown?.[2]);
});

it("the README's comparison is true", () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, args = '', shown] = /```console\n\$ k8snet diff (.*)\n([\s\S]*?)```/.exec(readme) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-readme-'));
  try {
    copyFileSync(join(root, 'fixtures/readme/shop.yaml'), join(folder, 'shop.yaml'));
    const run = (...own: readonly string[]) => runCli(own, { cwd: folder });
    const compiled = run('compile', '-f', 'shop.yaml', '--node', 'n1', '--cluster-cidr', '10.244.0.0/16');
    writeFileSync(
      join(folder, 'n1.save'),
      compiled.stdout.replace('to-destination 10.244.2.9', 'to-destination 10.244.2.4'),
    );
    const { status, stdout } = run('diff', ...args.split(' '));
    assert.equal(stdout, shown);
    assert.equal(status, 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
