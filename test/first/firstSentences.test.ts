import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diffManifests } from '../../src/diff/diffManifests.ts';
import { diagnoseNode } from '../../src/doctor/diagnoseNode.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import type { Finding } from '../../src/findings/finding.ts';
import type { NodeRules } from '../../src/node/nodeRules.ts';
import type { Compiled } from '../../src/pipeline/compile.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { objectsOfManifests } from '../../src/trace/known/objectsOfManifests.ts';
import { compiledFor, recordedSaves, textOf } from '../diff/diffCase.ts';
import { modeMutations } from '../diff/mutations/modeMutations.ts';
import { mutations } from '../diff/mutations/mutations.ts';
import { compileCase } from '../support/compileCase.ts';
import { assertGolden } from '../support/golden.ts';
import { type RecordedNode, recordedNodes } from '../support/recordedNodes.ts';
import { askEverything, type Expected } from './askEverything.ts';
import { changesNoPacket } from './changesNoPacket.ts';

/**
 * Of every fault that `diff` is tested with, what `doctor` and `why` say first: one of them names it, or it is a fault that
 * takes no new packet another way. What each says is a golden file, to be read.
 */
/** So many dumps are tried until one shows the fault: not each has a Service that it meets. */
const perFault = 10;

interface File {
  readonly name: string;
  readonly text: string;
}

interface Said {
  readonly doctor: Finding | undefined;
  /** Of the first packet that fares otherwise than on the healthy node. */
  readonly why: string | undefined;
}

/** Of a healthy node: what is asked of each fault that is planted there. */
function askedOf(compiled: Compiled, healthy: readonly File[], family: 'ipv4' | 'ipv6') {
  const read = (files: readonly File[]) => readDumps(files, { name: 'node', family });
  const expected = (dump: NodeRules): Expected => ({
    ...objectsOfManifests(compiled, false),
    ...diffManifests(compiled, dump, { level: 'rules', hasNfacct: false, family, ...noObjectFacts }),
  });
  const sound = read(healthy);
  const before = new Map(askEverything(sound, expected(sound)));
  return (broken: readonly File[]): Said => {
    const faulty = read(broken);
    const asked = expected(faulty);
    const doctor = diagnoseNode(faulty, asked.objects).findings.find(isFailing);
    for (const [packet, sentence] of askEverything(faulty, asked)) {
      if (before.get(packet) !== sentence) return { doctor, why: `${packet} ${sentence}` };
    }
    return { doctor, why: undefined };
  };
}

const text = ({ doctor, why }: Said) =>
  `  doctor: ${doctor === undefined ? 'nothing' : `${doctor.code} ${doctor.what}`}\n  why:    ${why ?? 'nothing'}\n`;

/** Nodes with many kinds of Services first. */
function telling<T>(nameOf: (node: T) => string): (a: T, b: T) => number {
  const rank = (node: T) => (/mixed|source-ranges|no-endpoints|^lb-|etp/.test(nameOf(node)) ? 0 : 1);
  return (a, b) => rank(a) - rank(b);
}

const isNamed = ({ doctor, why }: Said) => doctor !== undefined || why !== undefined;

describe('the first sentence about a fault', () => {
  it('of iptables mode names it', async () => {
    const lines: string[] = [];
    const wrong: string[] = [];
    const dumps = recordedSaves()
      .filter(
        ({ fixture, family }) =>
          fixture.startsWith('services/') && family === 'ipv4' && !fixture.includes('large-cluster'),
      )
      .sort(telling(({ name }) => name));
    const known = new Map<string, ReturnType<typeof askedOf>>();
    for (const mutation of mutations) {
      const all: Said[] = [];
      for (const dump of dumps) {
        if (all.length === perFault || all.some(isNamed)) break;
        const whole = textOf(dump);
        const broken = mutation.apply(whole.split('\n'));
        if (broken === undefined) continue;
        const file = (one: string) => [{ name: 'node.save', text: one }];
        const ask = known.get(dump.name) ?? askedOf(await compiledFor(dump), file(whole), dump.family);
        known.set(dump.name, ask);
        const said = ask(file(broken.join('\n')));
        all.push(said);
        if (isNamed(said)) lines.push(`${mutation.name} (${dump.name})\n${text(said)}`);
      }
      if (!all.some(isNamed)) lines.push(`${mutation.name}\n  nothing, on ${all.length} nodes\n`);
      if (all.some(isNamed) === mutation.name in changesNoPacket) wrong.push(mutation.name);
    }
    assertGolden('first/iptables.txt', lines.join(''));
    assert.deepEqual(wrong, []);
  });

  it('of IPVS and nftables mode names it', async () => {
    const lines: string[] = [];
    const wrong: string[] = [];
    const nodes = recordedNodes()
      .filter(({ family, scenario }) => family === 'ipv4' && !scenario.startsWith('large-cluster'))
      .sort(telling(({ scenario }) => scenario));
    const known = new Map<RecordedNode, ReturnType<typeof askedOf>>();
    for (const mutation of modeMutations) {
      const all: Said[] = [];
      for (const node of nodes) {
        const { scenario, fixture, version, mode, family, files } = node;
        if (all.length === perFault || all.some(isNamed)) break;
        if (mode !== mutation.mode) continue;
        const broken = files.map(({ name, text: whole }) => ({
          name,
          text: name.startsWith(`${mutation.file}.`) ? mutation.apply(whole) : whole,
        }));
        if (broken.every((one, at) => one.text === files[at]?.text)) continue;
        const compiled = async () => {
          const args = ['--mode', mode, '--kube-version', version, '--family', family];
          return (await compileCase(fixture, ...args)).compiled ?? assert.fail(`${scenario} does not compile`);
        };
        const ask = known.get(node) ?? askedOf(await compiled(), files, family);
        known.set(node, ask);
        const said = ask(broken);
        all.push(said);
        if (isNamed(said)) lines.push(`${mode}: ${mutation.name} (${scenario} ${version})\n${text(said)}`);
      }
      const name = `${mutation.mode}: ${mutation.name}`;
      if (!all.some(isNamed)) lines.push(`${name}\n  nothing, on ${all.length} nodes\n`);
      if (all.some(isNamed) === name in changesNoPacket) wrong.push(name);
    }
    assertGolden('first/modes.txt', lines.join(''));
    assert.deepEqual(wrong, []);
  });
});
