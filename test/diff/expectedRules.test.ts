import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { expectedRules } from '../../src/diff/expected/expectedRules.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { linesOf } from '../../src/node/chainLines.ts';
import { expectedChain, type RuleTable } from '../../src/node/nodeRules.ts';
import { compileCase, root } from '../support/compileCase.ts';

const save = readFileSync(join(root, 'golden/recorded/services/lb-etp-local/iptables/iptables.v4.save'), 'utf8');

/** The expected table nat beside a dump, and that of the dump. */
async function besides(text: string): Promise<{ readonly should: RuleTable; readonly dumped: RuleTable }> {
  const { compiled } = await compileCase('services/lb-etp-local', '--family', 'ipv4');
  assert.ok(compiled);
  const { sets } = readDumps([{ name: 'node', text }], { name: 'node' });
  const should = expectedRules(compiled, { hasNfacct: false }, sets)[0]?.tables.get('nat');
  const dumped = sets[0]?.tables.get('nat');
  assert.ok(should && dumped);
  return { should, dumped };
}

const isOfService = (name: string) => /^KUBE-(?:SVC|SVL|SEP|EXT|FW)-/.test(name);

describe('rules that are expected beside a dump', () => {
  it('are the dump\u2019s own chains where these have the same text', async () => {
    for (const text of [save, save.replace(/^-A /gm, '[1:60] -A ')]) {
      const { should, dumped } = await besides(text);
      const own = [...dumped.chains.values()].filter(({ name }) => isOfService(name));
      assert.ok(own.length > 5);
      for (const chain of own) assert.equal(expectedChain(should, dumped, chain.name), chain);
      assert.ok(![...should.chains.keys()].some(isOfService));
    }
  });

  it('are made, with the Service that they belong to, where the dump has other rules or none', async () => {
    const name = /^-A (KUBE-SEP-\S+) .*--to-destination/m.exec(save)?.[1] ?? '';
    const edited = save.replace(/--to-destination \S+/, '--to-destination 192.0.2.1:1');
    const without = save.replace(new RegExp(`^[-:].*${name} .*\\n`, 'gm'), '');
    for (const text of [edited, without]) {
      const { should, dumped } = await besides(text);
      const chain = expectedChain(should, dumped, name);
      assert.notEqual(chain, dumped.chains.get(name));
      assert.ok(chain?.owner);
      assert.ok(linesOf(chain).some((line) => / --to-destination 10\./.test(line)));
    }
  });

  it('are not those of the dump for a second comparison', async () => {
    const { should, dumped } = await besides(save);
    const other: RuleTable = { name: 'nat', isWhole: true, chains: new Map() };
    const name = [...dumped.chains.keys()].find(isOfService) ?? '';
    assert.ok(expectedChain(should, dumped, name));
    assert.equal(expectedChain(other, dumped, name), undefined);
  });
});
