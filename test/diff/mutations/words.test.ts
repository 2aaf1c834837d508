import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diagnoseDump } from '../../../src/diff/diagnoseDump.ts';
import { diffManifests } from '../../../src/diff/diffManifests.ts';
import type { DumpFile } from '../../../src/dump/dumpFile.ts';
import { readDumps } from '../../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../../src/findings/checks/objectFacts.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import type { Compiled } from '../../../src/pipeline/compile.ts';
import { compileCase } from '../../support/compileCase.ts';
import { assertGolden } from '../../support/golden.ts';
import { recordedNodes } from '../../support/recordedNodes.ts';
import { compiledFor, recordedSaves, textOf } from '../diffCase.ts';
import { modeMutations } from './modeMutations.ts';
import { mutations } from './mutations.ts';

/**
 * Every class of faults once, on the first recorded dump that it fits: all that is said of it, with and without manifests,
 * with severity, Service, places and words. A finding that is no longer made, or is about another Service, shows here.
 */
describe('what is said of planted faults', () => {
  it('of iptables mode', async () => {
    const scenarios = ['realistic-kube-system ipv4', 'lb-etp-local-source-ranges ipv4', 'affinity-lb-nodeport ipv4'];
    const saves = recordedSaves();
    const newest = scenarios.flatMap((scenario) => saves.filter(({ name }) => name === scenario));
    assert.equal(newest.length, scenarios.length);
    const dumps = [...newest, ...saves.filter(({ name }) => / 1\.(?:9|18)$/.test(name))];
    let text = '';
    for (const { name, apply } of mutations) {
      for (const dump of dumps) {
        const lines = apply(textOf(dump).split('\n'));
        if (lines === undefined) continue;
        const say = sayer(await compiledFor(dump), dump.family);
        const file = (own: string) => [{ name: 'save', text: own }];
        text += told(name, dump.name, say, file(textOf(dump)), file(lines.join('\n')));
        break;
      }
    }
    assert.ok(text.split('\n\n').length > mutations.length * 0.9, 'faults that fit no dump');
    assertGolden('diff/faults/iptables.txt', text);
  });

  it('of userspace mode', async () => {
    const result = await compileCase('dialects/c01-nodeport', '--mode', 'userspace', '--kube-version', '1.5');
    assert.ok(result.compiled);
    const healthy = result.text('iptables.v4.save');
    const portal = /^-A KUBE-PORTALS-CONTAINER .*\n/m;
    const faults: readonly (readonly [string, (line: string) => string])[] = [
      ['rule of a Service lost', () => ''],
      ['rule of a Service twice, with another port', (line) => line + line.replace(/--dport \d+/, '--dport 9')],
      [
        'rule of a Service that is not there',
        (line) => line + line.replace(/--comment \S+/, '--comment old/gone:http'),
      ],
    ];
    let text = '';
    for (const [name, change] of faults) {
      const broken = healthy.replace(portal, change);
      assert.notEqual(broken, healthy);
      const say = sayer(result.compiled, 'ipv4');
      text += told(name, 'c01-nodeport', say, [{ name: 'save', text: healthy }], [{ name: 'save', text: broken }]);
    }
    assertGolden('diff/faults/userspace.txt', text);
  });

  for (const mode of ['ipvs', 'nftables'] as const) {
    it(`of ${mode} mode`, async () => {
      const nodes = recordedNodes().filter((node) => node.mode === mode && node.version === '1.30');
      let text = '';
      for (const { name, file, apply } of modeMutations.filter((mutation) => mutation.mode === mode)) {
        for (const { scenario, fixture, family, files } of nodes) {
          const broken = files.map((own) =>
            own.name.startsWith(`${file}.`) ? { ...own, text: apply(own.text) } : own,
          );
          if (broken.every((own, at) => own.text === files[at]?.text)) continue;
          const { compiled } = await compileCase(fixture, '--mode', mode, '--kube-version', '1.30', '--family', family);
          assert.ok(compiled);
          text += told(name, `${scenario} ${family}`, sayer(compiled, family), files, broken);
          break;
        }
      }
      assertGolden(`diff/faults/${mode}.txt`, text);
    });
  }
});

type Said = (files: readonly DumpFile[]) => readonly (readonly [string, readonly string[]])[];

/** What is said of files, with manifests and without. */
function sayer(compiled: Compiled, family: 'ipv4' | 'ipv6'): Said {
  return (files) => {
    const dump = readDumps(files, { name: 'node', family });
    const compared = diffManifests(compiled, dump, { level: 'rules', hasNfacct: false, family, ...noObjectFacts });
    return [
      ['against manifests', compared.findings.map(findingText)],
      ['alone', diagnoseDump(dump).findings.map(findingText)],
    ];
  };
}

/** What is said beside that, once the fault is there, and what is no longer said. */
function told(
  what: string,
  where: string,
  say: Said,
  healthy: readonly DumpFile[],
  broken: readonly DumpFile[],
): string {
  const before = say(healthy);
  const parts = say(broken).map(([form, lines], at) => {
    const [withoutPlaces, usual] = [lines, before[at]?.[1] ?? []].map((all) => new Set(all.map(wordsOf)));
    const added = lines.filter((line) => !usual?.has(wordsOf(line))).map((line) => `    ${line}\n`);
    const gone = [...(usual ?? [])].filter((line) => !withoutPlaces?.has(line)).map((line) => `  - ${line}\n`);
    return `  ${form}\n${added.join('')}${gone.join('')}`;
  });
  return `${what} (${where})\n${parts.join('')}\n`;
}

/** Lines move where one is taken out. */
function wordsOf(line: string): string {
  return line.replace(/ \([^()]*:\d+\b[^()]*\)$/, '');
}

function findingText({ code, severity, isAdvice, service, services, family, what, found }: Finding): string {
  const about = [service, services && `[${services.join(' ')}]`, family].filter((each) => each !== undefined);
  const places = found.map(({ file, line }) => `${file}:${line}`);
  const few = places.length > 3 ? [...places.slice(0, 3), `and ${places.length - 3} more`] : places;
  return `${[code, severity, ...(isAdvice ? ['advice'] : []), ...about].join(' ')}: ${what}${few.length > 0 ? ` (${few.join(' ')})` : ''}`;
}
