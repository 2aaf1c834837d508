import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { knownVersions } from '../../src/dialect/knownVersions.ts';
import { formatKubeVersion } from '../../src/dialect/version.ts';
import { openNamespace } from '../../src/lab/openNamespace.ts';
import { tryIn } from '../../src/lab/runIn.ts';
import { assertSameText } from '../netfilter/nft/assertSameText.ts';
import { compileFiles } from '../support/compileCase.ts';
import { fuzzSeed as seed } from '../support/fuzzSeed.ts';
import { arbitraryServices } from './arbitraryServices.ts';
import { kernelTests } from './requirements.ts';

/** A bare minor version is its newest patch release. */
const versions = [...knownVersions('nftables').map(formatKubeVersion), '1.33.0', '1.34.0'];
const settings: readonly (readonly string[])[] = [
  [],
  ['--masquerade-all'],
  ['--cluster-cidr', '10.244.0.0/16,fd00:10:244::/48'],
  ['--nodeport-addresses', '192.168.10.0/24'],
  ['--detect-local-mode', 'InterfaceNamePrefix', '--pod-interface-name-prefix', 'veth'],
];

interface Load {
  readonly name: string;
  readonly table: string;
  readonly save: string;
  /** What we said of it: nft or the kernel refuses it. */
  readonly isRefused: boolean;
}

/** The kernel is asked whether it takes what each version writes for random Services, and what it then lists. */
kernelTests(['nft'])(`random Services in nftables mode of every version load as foretold (seed ${seed})`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-nft-versions-'));
  try {
    const clusters = fc.sample(arbitraryServices, { seed, numRuns: 8 });
    const loads: Load[] = [];
    for (const [at, objects] of clusters.entries()) {
      const file = join(folder, `${at}.json`);
      writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
      for (const version of versions) {
        for (const family of ['ipv4', 'ipv6'] as const) {
          loads.push(await compiledLoad(folder, file, `${at}.${version}.${family}`, version, family, settings[at % 5]));
        }
      }
    }
    const namespace = await openNamespace('versions');
    try {
      const run = loads.map(({ name, table }) => {
        const path = join(folder, name);
        return `if nft -f ${path} 2>${path}.errors; then nft list table ${table} >${path}.listed; nft delete table ${table}; fi\n`;
      });
      const { status, stderr } = await tryIn(namespace, ['sh', '-eu'], run.join(''));
      assert.equal(status, 0, stderr);
    } finally {
      await namespace.close();
    }
    for (const { name, save, isRefused } of loads) {
      const errors = readFileSync(join(folder, `${name}.errors`), 'utf8');
      assert.equal(errors !== '', isRefused, `${name}: ${errors || 'loaded'}`);
      if (!isRefused) assertSameText(readFileSync(join(folder, `${name}.listed`), 'utf8'), save);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function compiledLoad(
  folder: string,
  file: string,
  name: string,
  version: string,
  family: 'ipv4' | 'ipv6',
  further: readonly string[] = [],
): Promise<Load> {
  const args = ['--node', 'n1', '--mode', 'nftables', '--kube-version', version, '--family', family, '--no-allocate'];
  const { compiled, text, diagnostics } = await compileFiles([file], [...args, ...further]);
  assert.ok(compiled !== undefined, JSON.stringify(diagnostics));
  const short = family === 'ipv4' ? 'v4' : 'v6';
  writeFileSync(join(folder, name), text(`nft.${short}.restore`));
  return {
    name,
    table: family === 'ipv4' ? 'ip kube-proxy' : 'ip6 kube-proxy',
    save: text(`nft.${short}.save`),
    isRefused: diagnostics.some(({ code }) => code === 'rules-not-loadable'),
  };
}
