import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { load } from '../../src/load/files/load.ts';
import type { FieldValidation } from '../../src/validate/fields/fieldValidation.ts';
import { validate } from '../../src/validate/validate.ts';
import { runCli } from '../support/runCli.ts';

/** `--validate` is kubectl's flag, with another default; a misspelt field of a NetworkPolicy opens what it should close. */
const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {clusterIp: None, ports: [{port: 80}]}\n';
const config = 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\niptable: {}\n';
const policy =
  'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: a}\nspec: {podSelector: {}, ingress: [{form: []}]}\n';

async function judge(text: string, unknownFields?: FieldValidation) {
  const said: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => said.push(diagnostic);
  const { objects } = await load(['-'], { recursive: false, stdin: () => text }, report);
  const { manifests, config: read } = validate(objects, report, { unknownFields });
  const kept = manifests.services.length + manifests.networkPolicies.length + (read ? 1 : 0);
  const about = said.filter(({ code }) => code === 'unknown-field').map(({ severity, hint }) => `${severity}: ${hint}`);
  return { about, kept };
}

test('unknown fields are warnings, errors or nothing', async () => {
  assert.deepEqual(await judge(service), { about: ['warning: did you mean clusterIP?'], kept: 1 });
  assert.deepEqual(await judge(service, 'warn'), { about: ['warning: did you mean clusterIP?'], kept: 1 });
  assert.deepEqual(await judge(service, 'strict'), { about: ['error: did you mean clusterIP?'], kept: 0 });
  assert.deepEqual(await judge(service, 'ignore'), { about: [], kept: 1 });
});

test('a KubeProxyConfiguration is no exception', async () => {
  assert.deepEqual(await judge(config, 'strict'), { about: ['error: did you mean iptables?'], kept: 0 });
  assert.deepEqual(await judge(config, 'ignore'), { about: [], kept: 1 });
});

test('those of a NetworkPolicy are always errors', async () => {
  for (const level of ['strict', 'warn', 'ignore', undefined] as const) {
    assert.deepEqual(await judge(policy, level), { about: ['error: did you mean from?'], kept: 0 });
  }
});

test('--validate is an option of every command that reads manifests', () => {
  for (const args of [
    ['compile', '-o', 'script'],
    ['lint'],
    ['policy', 'matrix'],
    ['policy', 'explain'],
    ['policy', 'test', '--from', 'external', '--to', '10.0.0.1', '--port', '80'],
  ]) {
    const { status, stdout, stderr } = runCli([...args, '-f', '-', '--validate', 'strict'], { input: service });
    assert.equal(status, 2, stderr);
    assert.match(args[0] === 'lint' ? stdout : stderr, /error unknown-field: unknown field "clusterIp"/);
  }
  const { stdout } = runCli(['lint', '-f', '-', '--validate', 'ignore'], { input: service });
  assert.doesNotMatch(stdout, /unknown-field/);
});
