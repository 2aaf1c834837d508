import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

const manifests = 'fixtures/services/nodeport-basic/manifests.yaml';

function firstLine(dump: string, ...options: string[]): string {
  const { stdout } = runCli(['diff', '-f', manifests, '--node-address', '192.168.1.10/24', ...options, '-'], {
    input: dump,
  });
  return stdout.slice(0, stdout.indexOf('\n'));
}

describe('the Services that a dump cannot show', () => {
  const { stdout: whole } = runCli(['compile', '-f', manifests, '--node-address', '192.168.1.10/24']);
  const tables = whole.split(/^(?=\*)/m);
  const nat = tables.find((table) => table.startsWith('*nat')) ?? '';
  const others = tables.filter((table) => table !== nat).join('');

  it('are counted as the same where all of them are there', () => {
    assert.match(firstLine(whole), /^\d+ Services?: \d+ same$/);
  });

  it('are not compared where the table nat is not in the dump, or ends before it names them', () => {
    const cut = nat.slice(0, nat.indexOf('\n-A '));
    for (const dump of [others, others + cut, cut]) {
      assert.match(firstLine(dump), /^\d+ Services?: 0 same, \d+ not compared$/);
    }
  });

  it('are not compared where it names them and ends before their chains', () => {
    const cut = nat.slice(0, nat.indexOf('\n-A KUBE-SVC-'));
    assert.match(cut, /^-A KUBE-SERVICES .* -j KUBE-SVC-/m);
    assert.match(firstLine(others + cut), /^\d+ Services?: 0 same, \d+ not compared$/);
    const end = nat.indexOf('\n', nat.lastIndexOf('\n-A KUBE-SVC-') + 1);
    assert.match(firstLine(`${others}${nat.slice(0, end)}\n`), /^\d+ Services?: \d+ same$/);
  });

  it('are named in JSON only where there are some', () => {
    const summary = (dump: string) =>
      JSON.parse(runCli(['diff', '-f', manifests, '-o', 'json', '-'], { input: dump }).stdout).summary;
    assert.equal(summary(others).notCompared, summary(others).services);
    assert.ok(!('notCompared' in summary(whole)));
  });

  it('are those of which pasted lines say nothing, without being counted', () => {
    const name = /--comment "?([^"\s]+\/[^"\s:]+)/.exec(nat)?.[1] ?? '';
    const pasted = nat
      .split('\n')
      .filter((line) => line.includes(name))
      .join('\n');
    assert.match(firstLine(`${pasted}\n`), /^1 Service: /);
  });
});
