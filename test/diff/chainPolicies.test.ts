import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diffDumps } from '../../src/diff/diffDumps.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { compileCase, root } from '../support/compileCase.ts';
import { diffText, fails, said } from './diffCase.ts';

const folder = join(root, 'golden/recorded/services/lb-etp-local');
const save = readFileSync(join(folder, 'iptables/iptables.v4.save'), 'utf8');
const filter = save.indexOf('*filter');
/** FORWARD of the table filter. */
const dropped = save.slice(0, filter) + save.slice(filter).replace(':FORWARD ACCEPT', ':FORWARD DROP');

function changes(before: string, after: string, level: 'bytes' | 'text' | 'rules' | 'roles' = 'rules') {
  const [one, other] = [before, after].map((text) => readDumps([{ name: 'n', text }], { name: 'n' }));
  assert.ok(one && other);
  return diffDumps(one, other, { level, hasForeign: false }).changes;
}

describe('policies of chains', () => {
  it('are compared between two dumps, on every level', () => {
    for (const level of ['bytes', 'text', 'rules', 'roles'] as const) {
      const line = dropped.split('\n').indexOf(':FORWARD DROP [0:0]') + 1;
      assert.deepEqual(changes(save, dropped, level), [
        {
          table: 'filter',
          chain: 'FORWARD',
          expected: ':FORWARD ACCEPT',
          found: ':FORWARD DROP',
          place: { file: 'n', line },
        },
      ]);
    }
    assert.deepEqual(changes(dropped, dropped), []);
  });

  it('count beside rules that differ in the same chain', () => {
    const both = dropped.replace(/^-A FORWARD .*\n/m, '');
    const texts = changes(save, both).map(({ expected, found }) => `${expected} ${found}`);
    assert.equal(texts.length, 2);
    assert.ok(texts.includes(':FORWARD ACCEPT :FORWARD DROP'));
  });

  it('say nothing where a part of a dump does not show them', () => {
    const part = save.replace(/^:.*\n/gm, '');
    assert.deepEqual(changes(part, dropped), []);
  });

  it('are not in manifests: those of a node may be any, and what DROP of FORWARD means is said', async () => {
    const { compiled } = await compileCase('services/lb-etp-local', '--family', 'ipv4');
    assert.ok(compiled);
    const others = save.replaceAll(/^:(INPUT|OUTPUT) ACCEPT/gm, ':$1 DROP');
    const report = diffText(compiled, [others], 'ipv4');
    assert.ok(!fails(report), said(report));
    const forward = diffText(compiled, [dropped], 'ipv4');
    assert.deepEqual(forward.changes, []);
    assert.ok(forward.findings.some(({ code }) => code === 'K8N504'));
  });

  it('are those of kube-proxy in its own table of nftables', async () => {
    const { compiled } = await compileCase('services/lb-etp-local', '--family', 'ipv4', '--mode', 'nftables');
    assert.ok(compiled);
    const listing = readFileSync(join(folder, 'nftables/nft.v4.save'), 'utf8');
    assert.ok(!fails(diffText(compiled, [listing], 'ipv4')));
    const hook = /(type filter hook forward priority [^;]+; policy )accept/;
    assert.match(listing, hook);
    const { changes } = diffText(compiled, [listing.replace(hook, '$1drop')], 'ipv4');
    assert.deepEqual(
      changes.map(({ chain, expected, found }) => [chain, expected, found]),
      [['filter-forward', 'policy accept', 'policy drop']],
    );
  });

  it('of a table that nobody wrote to are no difference, whether the table is there or not', () => {
    const empty = '*raw\n:PREROUTING ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\nCOMMIT\n';
    assert.deepEqual(changes(save, save + empty), []);
    assert.deepEqual(changes(save + empty, save), []);
    const used = empty.replace(':OUTPUT ACCEPT [0:0]\n', ':OUTPUT ACCEPT [0:0]\n:MINE - [0:0]\n');
    assert.equal(changes(save, save + used).length, 1);
    assert.equal(changes(save + used, save).length, 1);
    const closed = empty.replace('OUTPUT ACCEPT', 'OUTPUT DROP');
    assert.equal(changes(save, save + closed).length, 1);
  });
});
