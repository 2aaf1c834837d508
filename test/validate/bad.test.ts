import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { load } from '../../src/load/load.ts';
import { createLocator } from '../../src/load/locate.ts';
import { newestProxy } from '../../src/validate/readingProxy.ts';
import { validate } from '../../src/validate/validate.ts';
import { validateProxyConfiguration } from '../../src/validate/validateProxyConfiguration.ts';

/**
 * Inputs that the API server or kube-proxy refuses, and some that look like it. `expect` says the verdict, the place
 * (alternatives by `or`), the path and the API server's message; the verdict, the file and the line are compared.
 */
const folder = fileURLToPath(new URL('../../fixtures/bad/', import.meta.url));

for (const name of readdirSync(folder)) {
  test(name, async () => {
    const [verdict = '', place = ''] = readFileSync(`${folder}${name}/expect`, 'utf8').split(';');
    const verdicts = verdict.trim().split(' or ');
    const { diagnostics, placesOf } = await judge(`${folder}${name}/`);
    const shown = diagnostics.map(
      (diagnostic) => `${placesOf(diagnostic)} ${diagnostic.severity} ${diagnostic.code}: ${diagnostic.message}`,
    );

    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const warnings = diagnostics.filter(({ severity }) => severity === 'warning');
    const worst = errors.length > 0 ? errors : warnings;
    const got = errors.length > 0 ? 'error' : warnings.length > 0 ? 'warning' : 'accepted';
    // A warning is no refusal.
    const isExpected = verdicts.includes(got) || (got === 'warning' && verdicts.includes('accepted'));
    assert.ok(isExpected, `expected ${verdict}, got ${got}: ${shown.join('\n')}`);

    const lines = place
      .trim()
      .split(' or ')
      .filter((text) => /^[a-z]+\.yaml/.test(text))
      .map(lineOf);
    if (worst.length === 0 || lines.length === 0) return;
    const places = worst.flatMap(placesOf);
    assert.ok(
      lines.some((line) => places.some((found) => found === line || found.startsWith(`${line}:`))),
      `expected ${place}, got ${shown.join('\n')}`,
    );
  });
}

/** `manifests.yaml:10:11` without the column. */
function lineOf(place: string): string {
  return place
    .split(':')
    .filter((part) => part !== '')
    .slice(0, 2)
    .join(':');
}

async function judge(path: string): Promise<{
  readonly diagnostics: readonly Diagnostic[];
  readonly placesOf: (diagnostic: Diagnostic) => string[];
}> {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  const options = { recursive: false };
  const manifests = await load([`${path}manifests.yaml`], options, report);
  validate(manifests.objects, report);
  const configs = existsSync(`${path}config.yaml`) ? [`${path}config.yaml`] : [];
  const config = await load(configs, options, report);
  const knowsPrimary = !readFileSync(`${path}args`, 'utf8').includes('--kube-version 1.30');
  for (const object of config.objects) validateProxyConfiguration(object, { ...newestProxy, knowsPrimary }, report);

  const origins = diagnostics.flatMap(({ at }) => at);
  const locators = [
    await createLocator(
      manifests.sources,
      origins.filter(({ file }) => !configs.includes(file)),
    ),
  ];
  locators.push(
    await createLocator(
      config.sources,
      origins.filter(({ file }) => configs.includes(file)),
    ),
  );
  return {
    diagnostics,
    placesOf: ({ at }) =>
      at.slice(0, 1).map((origin) => {
        const found = locators[configs.includes(origin.file) ? 1 : 0]?.(origin);
        return `${basename(origin.file)}:${found?.line ?? 0}:${found?.column ?? 0}`;
      }),
  };
}
