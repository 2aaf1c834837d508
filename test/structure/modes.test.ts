import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../support/compileCase.ts';

/** Which mode it is, asked of anything that is called so. */
const asked = /\b(?:[mM]ode|from|to|before|after)\b\)? (?:===|!==) '(?:iptables|ipvs|nftables|userspace)'/;
const switched = /switch \((?:\w+\.)*(?:mode|proxyMode)\)/;

/** Where a text that may be any is told from a mode that today's schema does not know. */
const allowed: ReadonlySet<string> = new Set(['validate/validateProxyConfiguration.ts']);

it('no code tests which mode it is: it asks for a fact of the mode, or for its entry in a table', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const wrong = files.flatMap((name) =>
    readFileSync(join(root, 'src', name), 'utf8')
      .split('\n')
      .filter((line) => !allowed.has(name) && (asked.test(line) || switched.test(line)))
      .map((line) => `${name}: ${line.trim()}`),
  );
  assert.deepEqual(wrong, []);
});

it('finds such a test', () => {
  for (const line of ["if (mode === 'ipvs') {", "(config.mode !== 'nftables' ||", 'switch (dialect.mode) {'])
    assert.ok(asked.test(line) || switched.test(line), line);
});
