import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import type { EqualChains } from '../../src/node/chains/equalChains.ts';
import { expectedChain } from '../../src/node/expectedRules.ts';
import { linesOf } from '../../src/node/lines/chainLines.ts';
import type { NodeRules, RuleTable } from '../../src/node/nodeRules.ts';
import { expectedRules } from '../../src/pipeline/expected/expectedRules.ts';
import { compileCase, root } from '../support/compileCase.ts';

const save = readFileSync(join(root, 'golden/recorded/services/lb-etp-local/iptables/iptables.v4.save'), 'utf8');

/** The expected table nat beside a dump, and that of the dump. */
async function besides(text: string): Promise<{
  readonly should: RuleTable;
  readonly dumped: RuleTable;
  readonly equal: EqualChains;
}> {
  const { compiled } = await compileCase('services/lb-etp-local', '--family', 'ipv4');
  assert.ok(compiled);
  const found = readDumps([{ name: 'node', text }], { name: 'node' });
  const { rules, equal } = expectedRules(compiled, { hasNfacct: false }, { found });
  const should = rules.iptables[0]?.tables.get('nat');
  const dumped = found.iptables[0]?.tables.get('nat');
  assert.ok(should && dumped);
  return { should, dumped, equal };
}

function countOf(equal: EqualChains, { iptables }: NodeRules): number {
  const chains = iptables.flatMap(({ tables }) => [...tables.values()].flatMap((table) => [...table.chains.values()]));
  return chains.filter(equal.has).length;
}

const isOfService = (name: string) => /^KUBE-(?:SVC|SVL|SEP|EXT|FW)-/.test(name);

describe('rules that are expected beside a dump', () => {
  it('are the dump\u2019s own chains where these have the same text', async () => {
    for (const text of [save, save.replace(/^-A /gm, '[1:60] -A ')]) {
      const { should, dumped, equal } = await besides(text);
      const own = [...dumped.chains.values()].filter(({ name }) => isOfService(name));
      assert.ok(own.length > 5);
      for (const chain of own) assert.equal(expectedChain(should, dumped, chain.name, equal), chain);
      assert.ok(![...should.chains.keys()].some(isOfService));
    }
  });

  it('are made, with the Service that they belong to, where the dump has other rules or none', async () => {
    const name = /^-A (KUBE-SEP-\S+) .*--to-destination/m.exec(save)?.[1] ?? '';
    const edited = save.replace(/--to-destination \S+/, '--to-destination 192.0.2.1:1');
    const without = save.replace(new RegExp(`^[-:].*${name} .*\\n`, 'gm'), '');
    for (const text of [edited, without]) {
      const { should, dumped, equal } = await besides(text);
      const chain = expectedChain(should, dumped, name, equal);
      assert.notEqual(chain, dumped.chains.get(name));
      assert.ok(chain?.owner);
      assert.ok(linesOf(chain).some((line) => / --to-destination 10\./.test(line)));
    }
  });

  it('leave the dump as it was: a second comparison of it finds the same', async () => {
    const found = readDumps([{ name: 'node', text: save }], { name: 'node' });
    const { compiled } = await compileCase('services/lb-etp-local', '--family', 'ipv4');
    assert.ok(compiled);
    const before = structuredClone(found);
    const sizes = [0, 0]
      .map(() => expectedRules(compiled, { hasNfacct: false }, { found }))
      .map(({ equal }) => countOf(equal, found));
    assert.ok(sizes[0] !== undefined && sizes[0] > 5);
    assert.equal(sizes[0], sizes[1]);
    assert.deepEqual(found, before);
  });
});
