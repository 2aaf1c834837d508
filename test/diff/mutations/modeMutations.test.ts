import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diffManifests } from '../../../src/diff/diffManifests.ts';
import { readDumps } from '../../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../../src/findings/checks/objectFacts.ts';
import type { Compiled } from '../../../src/pipeline/compile.ts';
import { isFailing } from '../../../src/report/isFailing.ts';
import { compileCase } from '../../support/compileCase.ts';
import { recordedNodes } from '../../support/recordedNodes.ts';
import { said } from '../diffCase.ts';
import { modeMutations } from './modeMutations.ts';

/** Every class of faults on the recorded dumps of IPVS and nftables mode: each must be found, and called by its name. */
const nodes = recordedNodes();
const compiled = new Map<string, Promise<Compiled | undefined>>();

describe('planted faults in other modes', () => {
  const applied = new Map<string, number>();
  for (const mutation of modeMutations) {
    it(`${mutation.mode}: ${mutation.name}`, async () => {
      let count = 0;
      const perVersion = new Map<string, number>();
      for (const { scenario, fixture, version, mode, family, files } of nodes) {
        const done = perVersion.get(version) ?? 0;
        if (mode !== mutation.mode || done === (version === '1.30' ? mostNodes : mostOfVersion)) continue;
        const broken = files.map(({ name, text }) =>
          name.startsWith(`${mutation.file}.`) ? { name, text: mutation.apply(text) } : { name, text },
        );
        if (broken.every(({ text }, at) => text === files[at]?.text)) continue;
        const key = `${scenario} ${mode} ${version} ${family}`;
        const own = compiled.get(key) ?? compile(fixture, mode, version, family);
        compiled.set(key, own);
        const dump = readDumps(broken, { name: scenario, family });
        const report = diffManifests((await own) as Compiled, dump, {
          level: 'rules',
          hasNfacct: false,
          family,
          ...noObjectFacts,
        });
        const ids: readonly string[] = report.findings.map(({ code }) => code);
        const where = `${mutation.name} in ${key}:\n${ids.join(' ')}\n${said(report)}`;
        assert.ok(
          mutation.ids.some((id) => ids.includes(id)),
          where,
        );
        if (!mutation.isRemark) assert.ok(report.findings.some(isFailing), where);
        count += 1;
        perVersion.set(version, done + 1);
      }
      applied.set(`${mutation.mode} ${mutation.name}`, count);
      assert.ok(count > 0, `no dump to plant it in: ${mutation.name}`);
    });
  }

  it('come on many dumps', () => {
    for (const mode of ['ipvs', 'nftables']) {
      const often = [...applied].filter(([name, count]) => name.startsWith(mode) && count >= mostNodes);
      assert.ok(often.length >= 10, JSON.stringify([...applied]));
    }
  });
});

/** Enough to show it, few enough to be quick. */
const mostNodes = 20;
/** Of nftables mode at other versions than 1.30. */
const mostOfVersion = 1;

async function compile(fixture: string, mode: string, version: string, family: string): Promise<Compiled | undefined> {
  return (await compileCase(fixture, '--mode', mode, '--kube-version', version, '--family', family)).compiled;
}
