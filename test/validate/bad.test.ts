import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { load } from '../../src/load/files/load.ts';
import { createLocator } from '../../src/load/locate.ts';
import { newestProxy } from '../../src/validate/readingProxy.ts';
import { validate } from '../../src/validate/validate.ts';
import { validateProxyConfiguration } from '../../src/validate/validateProxyConfiguration.ts';
import { compileFiles } from '../support/compileCase.ts';

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
      .filter((text) => /^[a-z]+\.(?:yaml|json)/.test(text))
      .map(lineOf);
    if (got !== 'error') await containsWhatItShould(`${folder}${name}/`);
    if (worst.length === 0 || lines.length === 0) return;
    const places = worst.flatMap(placesOf);
    assert.ok(
      lines.some((line) => places.some((found) => found === line || found.startsWith(`${line}:`))),
      `expected ${place}, got ${shown.join('\n')}`,
    );
  });
}

function manifestsOf(path: string): string {
  return existsSync(`${path}manifests.yaml`) ? `${path}manifests.yaml` : `${path}manifests.json`;
}

/** `contains` has expressions that the rules of an accepted case match, one a line: what a reader must not get wrong. */
async function containsWhatItShould(path: string): Promise<void> {
  if (!existsSync(`${path}contains`)) return;
  const { text } = await compileFiles([manifestsOf(path)], ['--node-ip', '192.168.10.1']);
  for (const wanted of readFileSync(`${path}contains`, 'utf8').trim().split('\n')) {
    assert.match(text('iptables.v4.save'), new RegExp(wanted));
  }
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
  const manifests = await load([manifestsOf(path)], options, report);
  validate(manifests.objects, report);
  const configs = existsSync(`${path}config.yaml`) ? [`${path}config.yaml`] : [];
  const config = await load(configs, options, report);
  const args = existsSync(`${path}args`) ? readFileSync(`${path}args`, 'utf8') : '';
  const nodePortWords = args.includes('--kube-version 1.30') ? 'none' : 'primaryAlone';
  for (const object of config.objects) validateProxyConfiguration(object, { ...newestProxy, nodePortWords }, report);

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
