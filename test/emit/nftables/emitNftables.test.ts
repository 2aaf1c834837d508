import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertSameText } from '../../netfilter/nft/assertSameText.ts';
import { type CaseResult, compileCase, root } from '../../support/compileCase.ts';
import { type RecordedNft, recordedNft } from '../../support/recordedNft.ts';

const compiled = new Map<string, Promise<CaseResult>>();

/** Both families at once, as they were recorded. */
function compileOnce({ fixture, version }: RecordedNft): Promise<CaseResult> {
  const key = `${fixture} ${version}`;
  const result = compiled.get(key) ?? compileCase(fixture, '--mode', 'nftables', '--kube-version', version);
  compiled.set(key, result);
  return result;
}

for (const recording of recordedNft()) {
  const { name, version, family, restore, save, errors } = recording;
  test(`${name} ${version} ${family}: transaction and listing are the recorded ones`, async () => {
    const { text, diagnostics } = await compileOnce(recording);
    assertSameText(text(`nft.${family}.restore`), readFileSync(restore, 'utf8'));
    if (save !== undefined) {
      assertSameText(text(`nft.${family}.save`), readFileSync(save, 'utf8'));
    }
    if (errors !== undefined) {
      const codes = diagnostics.map(({ code }) => code);
      assert.ok(codes.includes('rules-not-loadable') || codes.includes('nft-bridge-needed'), 'nft refuses it');
    }
  });
}

for (const name of readdirSync(join(root, 'golden/recorded/nft-dialects'))) {
  test(`${name}: nothing is reported of what every version loads`, async () => {
    const recordings = recordedNft().filter((one) => one.name === name && one.version !== '1.30');
    assert.ok(recordings.length > 0);
    for (const recording of recordings) {
      const { diagnostics } = await compileOnce(recording);
      const isReported = diagnostics.some(({ code }) => code === 'rules-not-loadable');
      assert.ok(!isReported || recording.errors !== undefined, recording.version);
    }
  });
}

test('health checks of Services are those that were recorded', async () => {
  let count = 0;
  for (const recording of recordedNft()) {
    const golden = join(root, 'golden/recorded/nft-dialects', recording.name, recording.version, 'health.txt');
    const expected = readIfThere(golden);
    if (expected === undefined) {
      continue;
    }
    count += 1;
    assertSameText((await compileOnce(recording)).text('health.txt'), expected);
  }
  assert.ok(count > 50);
});

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Patch releases that no recording shows, each between two that do. */
const between: readonly (readonly [string, string, readonly [string, string]])[] = [
  ['1.33.0', '1.33.2', ['', '']],
  ['1.33.5', '1.33.2', ['', '']],
  ['1.33.6', '1.33', ['', '']],
  // The interface is matched as in 1.33.5, the chains are those of 1.34.
  ['1.34.0', '1.34', ['iifname', 'iif']],
  ['1.34.1', '1.34', ['iifname', 'iif']],
  ['1.34.2', '1.34', ['', '']],
  ['1.35.0', '1.35', ['', '']],
];

for (const [asked, recorded, [from, to]] of between) {
  test(`${asked} writes what was recorded of ${recorded}${from === '' ? '' : `, with ${to} for ${from}`}`, async () => {
    for (const name of ['config-bridge-interface', 'new-shared-external-ip', 'lb-etp-local-source-ranges']) {
      const recording = recordedNft().find((one) => one.name === name && one.version === recorded);
      assert.ok(recording !== undefined);
      const { text } = await compileCase(recording.fixture, '--mode', 'nftables', '--kube-version', asked);
      const expected = readFileSync(recording.restore, 'utf8');
      assertSameText(text('nft.v4.restore'), from === '' ? expected : expected.replaceAll(`${from} `, `${to} `));
    }
  });
}
