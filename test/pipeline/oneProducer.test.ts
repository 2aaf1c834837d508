import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ProxyMode } from '../../src/common/proxy/proxyMode.ts';
import { knownVersions } from '../../src/dialect/knownVersions.ts';
import { formatKubeVersion } from '../../src/dialect/version.ts';
import type { NodeRules } from '../../src/node/nodeRules.ts';
import { canonicalText, readDump, rulesOf, toFiles } from '../../src/public/core.ts';
import { orThrow } from '../../src/public/result.ts';
import { compileFiles, root } from '../support/compileCase.ts';

/** What is printed of a node and what a node is compared with are one thing, in every version of every mode. */

const modes: readonly ProxyMode[] = ['iptables', 'ipvs', 'nftables'];
const inputs = ['mixed-random-dual', 'lb-etp-local-source-ranges', 'noendpoints-all-types'].map((name) =>
  join(root, 'fixtures/services', name),
);

for (const mode of modes) {
  describe(`rules as data and as text, ${mode} mode`, () => {
    for (const known of knownVersions(mode)) {
      const version = formatKubeVersion(known);
      it(version, async () => {
        for (const folder of inputs) {
          const { compiled } = await compileFiles(
            [join(folder, 'manifests.yaml')],
            ['--mode', mode, '--kube-version', version],
          );
          assert.ok(compiled, folder);
          const { all } = await orThrow(toFiles(compiled), () => {});
          const files = all
            .filter(({ name }) => /\.save$|^addresses/.test(name))
            .map(({ name, text }) => ({ name, text: [...text()].join('') }));
          assert.ok(files.length > 0, folder);
          const shown = await orThrow(readDump(files, { name: 'node' }));
          assert.deepEqual(await linesOf(shown), await linesOf(await orThrow(rulesOf(compiled))), folder);
        }
      });
    }
  });
}

async function linesOf(node: NodeRules): Promise<readonly string[]> {
  const text = [...(await canonicalText(node))].join('');
  // A tool that has nothing to say has no file.
  return text.replace(/^# .*\n(?=# |$)/gm, '').split('\n');
}
