import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { compileFiles, root } from '../support/compileCase.ts';

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
