import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diffDumps } from '../../src/diff/diffDumps.ts';
import { diffNodes } from '../../src/diff/diffNodes.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { summaryLine } from '../../src/report/forms/summaryLine.ts';
import { root } from '../support/compileCase.ts';

const how = { level: 'rules', hasForeign: false } as const;
const dumpOf = (text: string) => readDumps([{ name: 'dump', text }], { name: 'dump' });
const compared = (before: string, after: string) => summaryLine(diffDumps(dumpOf(before), dumpOf(after), how));
const recorded = (file: string) => readFileSync(join(root, 'golden/recorded/services/lb-etp-local', file), 'utf8');

describe('Services of dumps', () => {
  const save = recorded('iptables/iptables.v4.save');
  const lines = (text: string, isKept: (line: string) => boolean) => text.split('\n').filter(isKept).join('\n');

  it('are counted by the names in comments', () => {
    assert.equal(compared(save, save), '3 Services: 3 same');
    const name = /"(\S+?):\S* cluster IP"/.exec(save)?.[1];
    assert.ok(name);
    const gone = lines(save, (line) => !line.includes(name));
    assert.equal(compared(save, gone), '3 Services: 2 same, 1 missing');
    assert.equal(compared(gone, save), '2 Services: 2 same, 1 unknown');
    const edited = save.replace(new RegExp(`(${name}.*--to-destination )\\S+`), '$1192.0.2.1:1');
    assert.equal(compared(save, edited), '3 Services: 2 same, 1 differs');
    const nodes = diffNodes([dumpOf(save), dumpOf(gone), dumpOf(save)], how);
    assert.equal(summaryLine(nodes), '3 Services: 2 same, 1 missing');
  });

  it('are counted by the names of chains and of elements in nftables mode', () => {
    const listing = recorded('nftables/nft.v4.save');
    // One has no endpoints, and so no chain: an element names it.
    assert.equal(compared(listing, listing), '3 Services: 3 same');
    const edited = listing.replace(/dnat to \S+/, 'dnat to 192.0.2.1:1');
    assert.equal(compared(listing, edited), '3 Services: 2 same, 1 differs');
  });
});
