import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { runCli } from '../support/runCli.ts';

const whole = runCli(['compile', '-f', 'fixtures/services/nodeport-basic/manifests.yaml', '--node', 'node-1']).stdout;

const without = (pattern: RegExp, text = whole) => {
  const lines = text.split('\n').filter((line) => !pattern.test(line));
  assert.notEqual(lines.length, text.split('\n').length);
  return lines.join('\n');
};

const seen = (text: string) =>
  diagnoseDump(readDumps([{ name: 'n1.save', text }], { name: 'n1' }))
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ code, what }) => `${code} ${what}`);

const nat = (text: string) => text.slice(text.indexOf('*nat'));

describe('chains that were flushed', () => {
  it('are none in a whole dump', () => assert.deepEqual(seen(whole), []));

  it('are named: that of all Services, alone or with the whole table', () => {
    const said = [
      'K8N205 KUBE-SERVICES of the table nat is empty, and the table has chains of Services: none of them answers',
    ];
    assert.deepEqual(seen(whole.replace(nat(whole), without(/^-A KUBE-SERVICES /, nat(whole)))), said);
    const empty = diagnoseDump(
      readDumps([{ name: 'n1.save', text: whole.replace(nat(whole), without(/^-A /, nat(whole))) }], { name: 'n1' }),
    ).findings;
    assert.ok(empty.some(({ code }) => code === 'K8N205'));
    // That nothing leads to all the others follows from it.
    assert.ok(!empty.some(({ code }) => code === 'K8N206'));
    assert.deepEqual(
      seen(without(/KUBE-SVC/, whole.replace(nat(whole), without(/^-A KUBE-SERVICES /, nat(whole))))).filter((one) =>
        one.includes('KUBE-SERVICES'),
      ),
      [],
    );
  });

  it('are named: that of forwarded packets, and one of an endpoint that translates nothing', () => {
    assert.deepEqual(seen(without(/^-A KUBE-FORWARD /)), ['K8N205 FORWARD leads to KUBE-FORWARD, which is empty']);
    const first = /KUBE-SEP-\w+/.exec(whole)?.[0];
    assert.deepEqual(seen(without(new RegExp(`^-A ${first} .*-j DNAT`))), [
      `K8N204 ${first} has no rule that translates: its endpoint gets nothing`,
    ]);
  });
});

it('a rule that only watches packets go by is no Service without a port', () => {
  const watch = whole.replace(/^-A KUBE-SERVICES /m, '-A KUBE-SERVICES -p tcp -j LOG\n-A KUBE-SERVICES ');
  assert.notEqual(watch, whole);
  assert.deepEqual(seen(watch), []);
});

it('chains of nftables mode by which packets are masqueraded are not empty', () => {
  const args = [
    'compile',
    '-f',
    'fixtures/services/nodeport-basic/manifests.yaml',
    '--node',
    'node-1',
    '--mode',
    'nftables',
  ];
  const text = runCli([...args, '--kube-version', '1.33']).stdout;
  assert.deepEqual(seen(text), []);
  for (const chain of ['masquerading', 'mark-for-masquerade']) {
    const empty = text.replace(new RegExp(`(\\tchain ${chain} \\{\\n)[^}]*?(\\t\\})`), '$1$2');
    assert.notEqual(empty, text);
    const said = seen(empty).filter((one) => one.startsWith('K8N205 '));
    assert.equal(said.length, 1, seen(empty).join());
    assert.match(said[0] ?? '', new RegExp(` leads to ${chain}, which is empty$`));
  }
});
