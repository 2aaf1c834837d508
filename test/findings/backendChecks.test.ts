import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { root } from '../support/compileCase.ts';

const recorded = (file: string) => readFileSync(join(root, 'golden/recorded/services/lb-basic', file), 'utf8');
const nft = recorded('nftables/nft.v4.save');
const iptables = recorded('iptables/iptables.v4.save');

/** What is said of two modes of kube-proxy on one node. */
function modes(files: Readonly<Record<string, string>>) {
  const dump = readDumps(
    Object.entries(files).map(([name, text]) => ({ name, text })),
    { name: 'n1' },
  );
  return diagnoseDump(dump).findings.filter(({ code }) => code === 'K8N211');
}

/** The line on which a text has something, from 1. */
const lineOf = (text: string, what: string) => text.slice(0, text.indexOf(what)).split('\n').length;

describe('rules of two modes', () => {
  const [, chain = ''] = /^-A (KUBE-SVC-\S+)/m.exec(iptables) ?? [];
  const seen = `table ip kube-proxy of nftables mode beside ${chain} of iptables mode`;

  it('names the table of nftables mode beside a save with Services, at both places', () => {
    const [finding, ...more] = modes({ 'n.nft': nft, 'n.save': iptables });
    assert.deepEqual(more, []);
    assert.equal(finding?.severity, 'error');
    assert.equal(finding?.what, seen);
    assert.deepEqual(finding?.found, [
      { file: 'n.nft', line: lineOf(nft, '\tchain ') },
      { file: 'n.save', line: lineOf(iptables, `:${chain} `) },
    ]);
  });

  it('names it where nft lists both, with or without saying whose the table is', () => {
    const table = `table ip nat {\n\tchain ${chain} {\n\t\tip saddr != 10.244.0.0/16 counter jump KUBE-MARK-MASQ\n\t}\n}\n`;
    const warning = '# Warning: table ip nat is managed by iptables-nft, do not touch!\n';
    for (const listing of [table, warning + table]) {
      const [finding, ...more] = modes({ 'n.nft': nft + listing });
      assert.deepEqual(more, []);
      assert.equal(finding?.what, seen);
      assert.deepEqual(finding?.found.at(-1), { file: 'n.nft', line: lineOf(nft + listing, `chain ${chain} `) });
    }
    assert.equal(modes({ 'n.nft': nft + warning + table, 'n.save': iptables }).length, 1);
  });

  it('names chains of IPVS mode beside Services of iptables mode', () => {
    const ipvs = iptables.replace('*nat\n', '*nat\n:KUBE-LOAD-BALANCER - [0:0]\n');
    assert.deepEqual(
      modes({ 'n.save': ipvs }).map((finding) => finding.what),
      [`chain KUBE-LOAD-BALANCER of IPVS mode beside ${chain} of iptables mode`],
    );
  });

  it('says nothing of one mode alone, nor of chains that are left empty', () => {
    const emptied = iptables.replace(/^-A KUBE-.*\n/gm, '');
    assert.deepEqual(modes({ 'n.nft': nft }), []);
    assert.deepEqual(modes({ 'n.save': iptables }), []);
    assert.deepEqual(modes({ 'n.nft': nft, 'n.save': emptied }), []);
    assert.deepEqual(modes({ 'n.nft': 'table ip kube-proxy {\n}\n', 'n.save': iptables }), []);
  });
});
