import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  checkObjects,
  compileForDump,
  compileNode,
  type Diagnostic,
  diff,
  loadTexts,
  readDump,
  renderReport,
  rulesOf,
  shareWork,
  toFiles,
} from '../../src/public/core.ts';
import { orThrow, told } from '../../src/public/result.ts';
import { nodeNames, type Random, randomCluster, seededRandom } from './randomCluster.ts';

const versions = ['1.19', '1.22', '1.24', '1.26', '1.30', '1.34', '1.36'];
const modes = ['iptables', 'iptables', 'iptables', 'nftables', 'ipvs'] as const;
const seeds = Number(process.env.FUZZ_RUNS ?? 20);

for (let seed = 1; seed <= seeds; seed += 1) {
  it(`nodes that share their work get the reports of nodes that share nothing (seed ${seed})`, () => compare(seed));
}

async function compare(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const mode = modes[random(modes.length)] as (typeof modes)[number];
  const asked = versions[random(versions.length)] as string;
  const kubeVersion = mode === 'nftables' && Number(asked.slice(2)) < 29 ? '1.30' : asked;
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: randomCluster(random) });
  const ignore = () => {};
  const { objects } = await told(loadTexts([{ name: 'cluster.json', text }]), ignore);
  const options = {
    mode,
    kubeVersion,
    ...(random(2) === 0 ? { clusterCIDR: '10.244.0.0/16' } : { detectLocalMode: 'NodeCIDR' }),
    ...(random(3) === 0 && { nodePortAddresses: ['192.168.7.0/24'] }),
    ...(random(4) === 0 && { masqueradeAll: true }),
  };
  const refused: Diagnostic[] = [];
  const checked = await told(checkObjects(objects, options), (one) => refused.push(one));
  assert.ok(checked !== undefined, JSON.stringify(refused.filter(({ severity }) => severity === 'error')));
  const { sharing, sound } = await shareWork();
  for (const node of nodeNames) {
    const compiled = await told(compileNode(checked, { node }), ignore);
    assert.ok(compiled !== undefined);
    const files = (await orThrow(toFiles(compiled), ignore)).all.filter(({ name }) => /\.save$|^addresses/.test(name));
    const texts = files.map(({ name, text: write }) => ({ name, text: damaged([...write()].join(''), random) }));
    const alone = await reportOf({ node });
    const together = await reportOf({ node, sharing });
    assert.equal(together, alone);
    assert.deepEqual(
      await orThrow(rulesOf(await compiledWith({ node, sharing }))),
      await orThrow(rulesOf(await compiledWith({ node }))),
    );

    async function reportOf(more: object): Promise<string> {
      const said: Diagnostic[] = [];
      const isShared = 'sharing' in more;
      const dump = await orThrow(readDump(texts, { name: node, ...(isShared && { sound }) }));
      const expected = await told(compileForDump(objects, dump, { ...options, ...more }), (one) => said.push(one));
      if (expected === undefined) return JSON.stringify(said);
      return [...(await orThrow(renderReport(await orThrow(diff(expected)), { form: 'json' })))].join('');
    }
  }

  async function compiledWith(more: object) {
    const dump = await orThrow(readDump([{ name: 'iptables.v4.save', text: '*nat\nCOMMIT\n' }], { name: 'none' }));
    const expected = await told(compileForDump(objects, dump, { ...options, ...more }), ignore);
    assert.ok(expected !== undefined);
    return expected.compiled;
  }
}

/** Some lines lost, changed, or with a word that no tool reads. */
function damaged(text: string, random: Random): string {
  if (random(2) === 0) return text;
  return text
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('-A ') || random(12) > 0) return [line];
      switch (random(3)) {
        case 0:
          return [];
        case 1:
          return [line.replace(/--to-destination \S+/, '--to-destination 192.0.2.1:9')];
        default:
          return [`${line} --no-such-word`];
      }
    })
    .join('\n');
}
