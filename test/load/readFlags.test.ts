import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { looksLikeFlags, readFlags } from '../../src/load/flags/readFlags.ts';
import { root } from '../support/compileCase.ts';
import { assertGolden } from '../support/golden.ts';

const folder = join(root, 'fixtures/flags');

// Each text is a form of kube-proxy's command line; the settings and remarks that come of it stand in golden/flags.
for (const name of readdirSync(folder)) {
  test(`reads fixtures/flags/${name}`, () => {
    const text = readFileSync(join(folder, name), 'utf8');
    assert.equal(looksLikeFlags(text), true);
    assertGolden(`flags/${name.replace('.txt', '.json')}`, `${JSON.stringify(readFlags(text), null, 2)}\n`);
  });
}

test('a manifest is no command line, whatever flags it holds', () => {
  const daemonSet = 'kind: DaemonSet\nspec:\n  command: [/usr/bin/kube-proxy, --config=/x]\n';
  assert.equal(looksLikeFlags(daemonSet), false);
  assert.equal(looksLikeFlags('{"kind": "KubeProxyConfiguration", "mode": "--x=y"}'), false);
  assert.equal(looksLikeFlags('mode: ipvs\n---\n# -- ipvs\n'), false);
});

test('a long text of quotes is read in linear time', { timeout: 60_000 }, () => {
  const quoted = (times: number) => `kube-proxy --v=4 ${`"'`.repeat(times)} --masquerade-all`;
  assert.deepEqual(readFlags(quoted(2_000_000)), readFlags(quoted(2)));
});
