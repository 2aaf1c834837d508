import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { readDumps } from '../../src/dump/readDumps.ts';

const head = '*nat\n:PREROUTING ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\n:POSTROUTING ACCEPT [0:0]\n';
const chains = ':KUBE-SERVICES - [0:0]\n:KUBE-POSTROUTING - [0:0]\n:KUBE-SVC-AAAAAAAAAAAAAAAA - [0:0]\n';
const rules = [
  '-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
  '-A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
  '-A KUBE-SERVICES -d 10.96.0.7/32 -p tcp -m comment --comment "d/web cluster IP" -m tcp --dport 80 -j KUBE-SVC-AAAAAAAAAAAAAAAA',
  '-A KUBE-SVC-AAAAAAAAAAAAAAAA -m comment --comment d/web -j KUBE-SEP-AAAAAAAAAAAAAAAA',
  '-A KUBE-SVC-AAAAAAAAAAAAAAAA -m comment --comment d/web -j KUBE-SEP-BBBBBBBBBBBBBBBB',
].join('\n');

/** Findings that say that something is not there. */
const fromAbsence = /^K8N(?:201|202|205|206|207|208|209|212|410)$/;

const nft = readFileSync('fixtures/nft/listings/list-ruleset.txt', 'utf8');

const cuts: Readonly<Record<string, string>> = {
  'no COMMIT': `${head}${chains}:KUBE-SEP-AAAAAAAAAAAAAAAA - [0:0]\n:KUBE-SEP-BBBBBBBBBBBBBBBB - [0:0]\n${rules}\n`,
  'jumps to chains that are not declared': `${head}${chains}${rules}\nCOMMIT\n`,
  'an unfinished last line': `${head}${chains}${rules.slice(0, -20)}`,
  'no COMMIT before the next table': `${head}${chains}${rules}\n*filter\n:INPUT ACCEPT [0:0]\nCOMMIT\n`,
  'no COMMIT, with prompts': `root@n1:~# iptables-save\n${head}${chains}${rules}\n`,
  'nft text without its last braces': nft.slice(0, nft.indexOf('chain services')),
};

for (const [name, text] of Object.entries(cuts)) {
  test(`a dump with ${name} is called cut, and nothing is concluded from what it lacks`, () => {
    const ids = diagnoseDump(readDumps([{ name: 'n.save', text }], { name: 'n' })).findings.map(({ code }) => code);
    assert.equal(ids[0], 'K8N110');
    assert.deepEqual(
      ids.filter((id) => fromAbsence.test(id)),
      [],
    );
  });
}

test('the same rules to their end are not called cut, and an empty chain is named', () => {
  const text = `${head}${chains}:KUBE-SEP-AAAAAAAAAAAAAAAA - [0:0]\n:KUBE-SEP-BBBBBBBBBBBBBBBB - [0:0]\n${rules}\nCOMMIT\n`;
  const ids = diagnoseDump(readDumps([{ name: 'n.save', text }], { name: 'n' })).findings.map(({ code }) => code);
  assert.ok(!ids.includes('K8N110'));
  assert.ok(ids.includes('K8N205'));
});
