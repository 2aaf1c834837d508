import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Compiled } from '../../../src/pipeline/compile.ts';
import { isFailing } from '../../../src/report/isFailing.ts';
import { drawn } from '../../support/drawn.ts';
import { compiledFor, diffText, type RecordedDump, recordedSaves, said, textOf } from '../diffCase.ts';
import { type Mutation, mutations } from './mutations.ts';

/** Every class of faults on many recorded dumps: each must be found, and called by its name. */
const dumps = chosenDumps();
const compiled = new Map<RecordedDump, Promise<Compiled>>();

describe('planted faults', () => {
  const applied = new Map<string, number>();
  for (const mutation of mutations) {
    it(mutation.name, async () => {
      const planted = dumps.flatMap((dump) => {
        const lines = isTooOld(mutation, dump) ? undefined : mutation.apply(textOf(dump).split('\n'));
        return lines === undefined ? [] : [{ dump, lines }];
      });
      for (const { dump, lines } of drawn(planted)) {
        const known = compiled.get(dump) ?? compiledFor(dump);
        compiled.set(dump, known);
        const report = diffText(await known, [lines.join('\n')], dump.family);
        const ids = new Set(report.findings.map(({ code }) => code as string));
        const where = `${mutation.name} in ${dump.name}:\n${[...ids].join(' ')}\n${said(report)}`;
        const hits = mutation.ids.filter((id) => ids.has(id));
        if (mutation.ids.length > 0)
          assert.ok(mutation.isEach ? hits.length === mutation.ids.length : hits.length > 0, where);
        if (!mutation.isRemark) assert.ok(report.findings.some(isFailing) || report.changes.length > 0, where);
      }
      applied.set(mutation.name, planted.length);
      assert.ok(planted.length > 0, `no dump to plant it in: ${mutation.name}`);
    });
  }

  it('come in many classes and on many dumps', () => {
    assert.ok(mutations.length >= 25);
    assert.ok(dumps.length >= 20);
    const often = [...applied.values()].filter((count) => count >= 20).length;
    assert.ok(often >= 25, `${often} classes on 20 dumps: ${JSON.stringify([...applied])}`);
  });
});

/** All scenarios of the newest version with Services, and some of every older one. */
function chosenDumps(): readonly RecordedDump[] {
  const all = recordedSaves().filter(
    (dump) => /^-A KUBE-SEP-/m.test(textOf(dump)) && !dump.name.startsWith('large-cluster'),
  );
  // Half of the scenarios in one family each, those that need IPv6 in both.
  const services = all.filter(
    ({ fixture, family, name }, at) =>
      fixture.startsWith('services/') &&
      (/dual|ipv6|source-ranges|etp|affinity/.test(name) || (family === 'ipv4' && at % 2 === 0)),
  );
  const dialects = all.filter(
    ({ fixture, name }) =>
      fixture.startsWith('dialects/') &&
      /^c(?:01|02|04|05) 1\.(?:9|15|18|21|23|24|26|30)$/.test(name.replace(/^(c\d\d)-\S+/, '$1')),
  );
  return [...services, ...dialects];
}

/** Faults that are none in a version which writes such rules itself. */
function isTooOld(mutation: Mutation, dump: RecordedDump): boolean {
  const minor = Number(/^.* 1\.(\d+)/.exec(dump.name)?.[1] ?? '30');
  return mutation.name.startsWith('everything masqueraded') && minor < 22;
}
