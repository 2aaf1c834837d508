import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { NftablesDialect } from '../../../src/dialect/nftables/nftablesDialect.ts';
import { emitNftables } from '../../../src/emit/nftables/emitNftables.ts';
import { applyTransaction } from '../../../src/netfilter/nft/applyTransaction.ts';
import { writeListing } from '../../../src/netfilter/nft/writeListing.ts';
import { writeTransaction } from '../../../src/netfilter/nft/writeTransaction.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { assertSameText } from '../../netfilter/nft/assertSameText.ts';
import { compileCase } from '../../support/compileCase.ts';
import { recorded } from '../../support/golden.ts';

for (const name of readdirSync('golden/recorded/services')) {
  test(`${name}: transaction and listing are the recorded ones`, async () => {
    const { compiled } = await compileCase(`services/${name}`, '--mode', 'nftables', '--kube-version', '1.30');
    assert.ok(compiled?.dialect.mode === 'nftables');
    const { dialect } = compiled;
    let count = 0;
    for (const plan of compiled.plans) {
      const base = `services/${name}/nftables/nft.${plan.family === 'ipv4' ? 'v4' : 'v6'}`;
      count +=
        compareRecorded(`${base}.restore`, restoreOf(plan, dialect.spelling)) +
        compareRecorded(`${base}.save`, saveOf(plan, dialect.spelling));
    }
    assert.ok(count > 0, 'nothing was recorded for this case');
  });
}

/** One if there is a recording, after comparing with it. */
function compareRecorded(path: string, text: () => string): number {
  const expected = recorded(path);
  if (expected === undefined) {
    return 0;
  }
  assertSameText(text(), expected);
  return 1;
}

function restoreOf(plan: Plan, dialect: NftablesDialect): () => string {
  return () => [...writeTransaction(emitNftables(plan, dialect))].join('');
}

function saveOf(plan: Plan, dialect: NftablesDialect): () => string {
  return () => [...writeListing(applyTransaction(emitNftables(plan, dialect)))].join('');
}
