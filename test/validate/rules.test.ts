import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { printPath } from '../../src/diagnostics/printPath.ts';
import { load } from '../../src/load/files/load.ts';
import { newestProxy } from '../../src/validate/readingProxy.ts';
import { rules } from '../../src/validate/rules.ts';
import { validate } from '../../src/validate/validate.ts';
import { validateProxyConfiguration } from '../../src/validate/validateProxyConfiguration.ts';

/**
 * One file a rule, of documents that begin with what is to be found in them, all of it and in order:
 * `#! severity code path`; a document without such a line is sound. Several objects stand in a List.
 */
const folder = fileURLToPath(new URL('../../fixtures/validate/', import.meta.url));
const files = readdirSync(folder).map((file) => basename(file, '.yaml'));

test('every rule has a file of cases', () => {
  // The build numbers functions of one name in several files.
  for (const { name } of rules) assert.ok(files.includes(name.replace(/\d+$/, '')), name);
});

for (const file of files) {
  const cases = readFileSync(`${folder}${file}.yaml`, 'utf8').split(/^---\n/m);
  for (const [index, text] of cases.entries()) {
    const expected = [...text.matchAll(/^#! (.*)$/gm)].map(([, line]) => line);
    test(`${file} ${index + 1}: ${expected.join(', ') || 'sound'}`, async () => {
      const diagnostics: Diagnostic[] = [];
      const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
      const { objects } = await load(['-'], { recursive: false, stdin: () => text }, report);
      const { manifests, config, skipped } = validate(objects, report);
      for (const object of objects.filter(({ kind }) => kind === 'KubeProxyConfiguration')) {
        const alone = validateProxyConfiguration(object, newestProxy, () => {});
        if (objects.length === 1) assert.deepEqual(alone, config);
      }
      const found = diagnostics.map(({ severity, code, at }) => `${severity} ${code} ${printPath(at[0]?.path ?? [])}`);
      assert.deepEqual(found, expected);

      // Policies of other kinds are skipped, and known to be there.
      const { otherPolicies: _, ...read } = manifests;
      const kept = Object.values(read).reduce((count, list) => count + list.length, config ? 1 : 0);
      const refused = new Set(diagnostics.filter(({ severity }) => severity === 'error').map(subjectOf));
      const others = [...skipped.values()].reduce((sum, count) => sum + count, 0);
      assert.equal(kept + others, objects.length - refused.size, 'objects with errors are left out, and only they');
    });
  }
}

/** The object that a diagnostic is about: its index in a List. */
function subjectOf({ at }: Diagnostic): string {
  const path = at[0]?.path ?? [];
  return path[0] === 'items' ? `items ${path[1]}` : '';
}
