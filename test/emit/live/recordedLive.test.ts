import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileFiles, root } from '../../support/compileCase.ts';
import { runCli } from '../../support/runCli.ts';
import { differentBlocks } from './differentBlocks.ts';

const recorded = join(root, 'golden/recorded/live');

/**
 * What a real kube-proxy wrote beside a real API server, from the objects as that server returned them
 * (test/cluster/record.ts). It goes through its Services in no order, so blocks are compared.
 */
for (const name of readdirSync(recorded))
  for (const version of readdirSync(join(recorded, name)).filter((entry) => /^\d/.test(entry)))
    for (const mode of readdirSync(join(recorded, name, version)))
      test(`${name}: kube-proxy ${version} in ${mode} mode`, async () => {
        const folder = join(recorded, name, version, mode);
        // Whether the kernel can count by name, kube-proxy tries.
        const nfacct = readdirSync(folder).some((file) =>
          readFileSync(join(folder, file), 'utf8').includes('-m nfacct'),
        );
        const { text } = await compileFiles(
          [join(recorded, name, 'objects.json')],
          [...argsOf(name, version, mode), ...(nfacct ? ['--nfacct'] : [])],
        );
        const files = readdirSync(folder).filter((file) => file.endsWith('.restore'));
        assert.ok(files.length > 0);
        for (const file of files) {
          const differences = differentBlocks(text(file), readFileSync(join(folder, file), 'utf8'));
          assert.deepEqual(differences, [], file);
        }
        for (const file of readdirSync(folder).filter((entry) => entry.endsWith('.save'))) {
          const [own, real] = [text(file), readFileSync(join(folder, file), 'utf8')].map(proxyRules);
          assert.deepEqual(own, real, file);
        }
        const dumps = readdirSync(folder).filter((file) => !file.endsWith('.restore'));
        const compared = runCli([
          ...['diff', '-f', join(recorded, name, 'objects.json'), ...argsOf(name, version, mode).slice(0, -2)],
          ...dumps.map((file) => join(folder, file)),
        ]);
        assert.equal(compared.status, 0, compared.stdout);
      });

/** Rules of kube-proxy's own chains, in no order. */
function proxyRules(save: string): readonly string[] {
  return save
    .split('\n')
    .filter((line) => line.startsWith('-A KUBE-'))
    .sort();
}

function argsOf(name: string, version: string, mode: string): readonly string[] {
  const fixture = ['services', 'nft-dialects', 'live'].map((set) => join(root, 'fixtures', set, name)).find(existsSync);
  if (fixture === undefined) throw new Error(`${name} has no fixture`);
  const node = /--node (\S+)/.exec(readFileSync(join(fixture, 'args'), 'utf8'))?.[1] ?? '';
  const config = join(fixture, 'config.yaml');
  return [
    ...['--node', node, '--mode', mode, '--kube-version', version],
    // By which the node reached the API server.
    ...['--node-address', '192.168.77.11/24', '--node-address', 'fd77::11/64'],
    ...(existsSync(config) ? ['--config', config] : []),
    ...['--family', 'both'],
  ];
}
