import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { load } from '../../src/load/files/load.ts';
import { newestProxy } from '../../src/validate/readingProxy.ts';
import { validate } from '../../src/validate/validate.ts';
import { validateProxyConfiguration } from '../../src/validate/validateProxyConfiguration.ts';

/** Manifests that a real kube-proxy was fed with: nothing is wrong with them. */
for (const topic of ['services', 'dialects', 'networkpolicy']) {
  const folder = fileURLToPath(new URL(`../../fixtures/${topic}/`, import.meta.url));
  for (const name of readdirSync(folder)) {
    const paths = ['manifests.yaml', 'manifest.yaml'].map((file) => `${folder}${name}/${file}`).filter(existsSync);
    if (paths.length === 0) continue;
    test(`${topic}/${name}`, async () => {
      const diagnostics: Diagnostic[] = [];
      const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
      const { objects } = await load(paths, { recursive: false }, report);
      assert.notEqual(objects.length, 0);
      const { manifests, skipped } = validate(objects, report);
      const config = await load([`${folder}${name}/config.yaml`].filter(existsSync), { recursive: false }, report);
      for (const object of config.objects) assert.ok(validateProxyConfiguration(object, newestProxy, report));

      const found = diagnostics.filter(({ severity }) => severity === 'error');
      assert.deepEqual(found, []);
      const kept = Object.values(manifests).reduce((count, list) => count + list.length, 0);
      const others = [...skipped.values()].reduce((sum, count) => sum + count, 0);
      assert.equal(kept + others, objects.length);
    });
  }
}
