import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadTexts } from '../../src/load/loadTexts.ts';
import { newestProxy } from '../../src/validate/readingProxy.ts';
import { validateProxyConfiguration } from '../../src/validate/validateProxyConfiguration.ts';
import { root } from '../support/compileCase.ts';

/** Configurations with one field, and whether real kube-proxies took them. */
const rows = readFileSync(join(root, 'golden/recorded/configurations/verdicts.tsv'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t') as [mode: string, field: string, value: string, verdict: string]);

/** What is judged otherwise here, with the reason. */
const otherwise: ReadonlyMap<string, string> = new Map([
  ['ipvs ipvs.scheduler RR', 'kube-proxy takes it, and the kernel has no such scheduler'],
  ['logging.format xml', 'no rule depends on it'],
]);

describe('a KubeProxyConfiguration', () => {
  it('is taken and refused as real kube-proxies do', async () => {
    assert.ok(rows.length > 200);
    const wrong: string[] = [];
    for (const [mode, field, value, verdict] of rows) {
      if (otherwise.has(`${field} ${value}`) || otherwise.has(`${mode} ${field} ${value}`)) continue;
      const own = (await isTaken(textOf(mode, field, value))) ? 'taken' : 'refused';
      if (own !== verdict) wrong.push(`${mode} ${field}=${value}: ${own}, and kube-proxy has it ${verdict}`);
    }
    assert.deepEqual(wrong, []);
  });
});

function textOf(mode: string, path: string, value: string): string {
  const [part = '', field] = path.split('.');
  const setting = field === undefined ? `${part}: ${value}` : `${part}: {${field}: ${value}}`;
  const detect = path === 'detectLocal.bridgeInterface' ? 'BridgeInterface' : 'InterfaceNamePrefix';
  const head = `apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: ${mode}\n`;
  return `${head}${setting}\n${part === 'detectLocal' ? `detectLocalMode: ${detect}\n` : ''}`;
}

async function isTaken(text: string): Promise<boolean> {
  let hasErrors = false;
  const { objects } = await loadTexts([{ name: 'config.yaml', text }], ({ severity }) => {
    hasErrors ||= severity === 'error';
  });
  const [object] = objects;
  assert.ok(object !== undefined, text);
  const config = validateProxyConfiguration(object, newestProxy, ({ severity }) => {
    hasErrors ||= severity === 'error';
  });
  return config !== undefined && !hasErrors;
}
