import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../../support/compileCase.ts';
import { runCli } from '../../support/runCli.ts';

/** Every `console` block is run in a folder with the `yaml` blocks that begin with their file's name. */
it('every example of docs/emit.md is true', () => {
  const page = readFileSync(join(root, 'docs/emit.md'), 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-docs-'));
  try {
    for (const [, name = '', text = ''] of page.matchAll(/```yaml\n# (\S+)\n([\s\S]*?)```/g)) {
      writeFileSync(join(folder, name), text);
    }
    const targets = new Set<string>();
    for (const [, line = '', shown] of page.matchAll(/```console\n\$ k8snet (.*)\n([\s\S]*?)```/g)) {
      const [command = '', word] = line.split(' | grep ');
      const { stdout, stderr } = runCli(command.split(' '), { cwd: folder });
      const lines = stdout.split(/(?<=\n)/).filter((each) => word === undefined || each.includes(word));
      assert.equal(lines.join(''), shown, `${line}\n${stderr}`);
      targets.add(command.split(' ')[1] ?? '');
    }
    const all = [...runCli(['emit', '--help']).stdout.matchAll(/^ {2}(\S+) \[options\]/gm)].map(([, name]) => name);
    assert.deepEqual([...targets].sort(), all.sort(), 'every target has an example');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
