import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ChainDiff } from '../../src/compare/compareSets.ts';
import { lastingDiffs } from '../../src/diff/compare/lastingDiffs.ts';
import { diffManifests } from '../../src/diff/diffManifests.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import { linesOf } from '../../src/node/lines/chainLines.ts';
import type { Compiled } from '../../src/pipeline/compile.ts';
import { compileCase, root } from '../support/compileCase.ts';
import { fails, said } from './diffCase.ts';

/** Of two looks at a node, the second judges what differs in both. */
const cases = [
  { mode: 'iptables', file: 'iptables/iptables.v4.save' },
  { mode: 'nftables', file: 'nftables/nft.v4.save' },
] as const;

for (const { mode, file } of cases) {
  const fixture = 'services/mixed-random-dual';
  const text = readFileSync(join(root, 'golden/recorded', fixture, file), 'utf8');
  const compiled = compileCase(fixture, '--kube-version', '1.30', '--mode', mode, '--family', 'ipv4').then(
    (answer) => answer.compiled as Compiled,
  );
  const look = async (dump: string, earlier?: readonly ChainDiff[]) =>
    diffManifests(await compiled, readDumps([{ name: 'dump', text: dump }], { name: 'node', family: 'ipv4' }), {
      ...{ level: 'rules', hasNfacct: false, family: 'ipv4', earlier },
      ...noObjectFacts,
    });
  const rules = text.split('\n').flatMap((line, at) => (isRule(line) ? [at] : []));
  const without = (places: readonly number[], more: readonly number[] = []) =>
    text
      .split('\n')
      .flatMap((line, at) => (places.includes(at) ? [] : more.includes(at) ? [line, foreign(line, at)] : [line]))
      .join('\n');

  test(`${mode}: each line that is lost in both looks is told, and none that is lost in one`, async () => {
    const whole = await look(text);
    assert.ok(!fails(whole), said(whole));
    for (let at = 0; at + 2 < rules.length; at += 43) {
      const [lost = 0, before = 0, now = 0] = rules.slice(at);
      const first = await look(without([lost, before]));
      const alone = await look(without([lost]));
      const second = await look(without([lost, now]), first.chains);
      assert.equal(differences(second.chains), differences(alone.chains), `lines ${lost}, ${before}, ${now}`);
      const passing = await look(without([now]), (await look(without([before]))).chains);
      assert.ok(!fails(passing), said(passing));
    }
  });

  test(`${mode}: the same of lines that are too much`, async () => {
    for (let at = 0; at + 2 < rules.length; at += 101) {
      const [added = 0, before = 0, now = 0] = rules.slice(at);
      const first = await look(without([], [added, before]));
      const alone = await look(without([], [added]));
      const second = await look(without([], [added, now]), first.chains);
      assert.ok(differences(alone.chains) !== '', `line ${added}`);
      assert.equal(differences(second.chains), differences(alone.chains), `lines ${added}, ${before}, ${now}`);
    }
  });
}

test('chains that are gone, new, moved in, or of another policy', () => {
  const chain = (name: string, text: string) => ({ name, text, firstLine: 1, file: 'x' });
  const foundSet = { kind: 'iptables', family: 'ipv4' };
  const diff = (more: object) =>
    ({
      expectedSet: foundSet,
      foundSet,
      table: 'nat',
      chain: 'A',
      missing: [],
      extra: [],
      moved: [],
      ...more,
    }) as never;
  const gone = diff({ expected: chain('A', ''), found: undefined });
  const there = diff({ expected: undefined, found: chain('A', '') });
  assert.deepEqual(lastingDiffs([gone], [gone]), [gone]);
  assert.deepEqual(lastingDiffs([there], [there]), [there]);
  assert.deepEqual(lastingDiffs([gone], [there]), []);
  assert.deepEqual(lastingDiffs([gone], []), []);
  const sides = { expected: chain('A', 'a\nb'), found: chain('A', 'b\na') };
  const moved = diff({ ...sides, moved: [[0, 1]] });
  assert.deepEqual(lastingDiffs([moved], [moved]), [moved]);
  assert.deepEqual(lastingDiffs([moved], [diff({ ...sides, moved: [[1, 0]] })]), []);
  const policies = { expected: 'ACCEPT', found: 'DROP' };
  const policy = diff({ ...sides, policies });
  assert.deepEqual(lastingDiffs([policy], [policy]), [policy]);
  assert.deepEqual(lastingDiffs([policy], [diff({ ...sides, policies: { ...policies, found: 'QUEUE' } })]), []);
  // A chain that also has another policy only now keeps its lines alone.
  assert.deepEqual(lastingDiffs([diff({ ...sides, moved: [[0, 1]], policies })], [moved]), [moved]);
  const other = diff({ ...sides, table: 'filter', moved: [[0, 1]] });
  assert.deepEqual(lastingDiffs([moved], [other]), []);
});

/** A rule, or an element that is not the first or the last of its set. */
function isRule(line: string): boolean {
  if (line.startsWith('-A')) return /^-A KUBE-(?:SVC|SEP|EXT|SERVICES|NODEPORTS|EXTERNAL)/.test(line);
  return /^\t\t.*\b(?:goto|jump|dnat to|accept)\b.*/.test(line) && !/elements =|^\t\tcomment |\}$/.test(line);
}

/** A rule or an element that nobody writes. */
function foreign(line: string, at: number): string {
  if (line.startsWith('-A')) return `${line.split(' ', 2).join(' ')} -p tcp -m tcp --dport ${at} -j ACCEPT`;
  return line.endsWith(',')
    ? line.replace(/\d+\.\d+\.\d+\.\d+/, `203.0.113.${at % 250}`)
    : `\t\ttcp dport ${at} accept`;
}

function differences(chains: readonly ChainDiff[] | undefined): string {
  return (chains ?? [])
    .flatMap(({ table, chain, expected, found, missing, extra, moved }) => [
      ...missing.map((at) => `${table} ${chain} - ${linesOf(expected)[at]}`),
      ...extra.map((at) => `${table} ${chain} + ${linesOf(found)[at]}`),
      ...moved.map(([at]) => `${table} ${chain} ~ ${linesOf(expected)[at]}`),
    ])
    .join('\n');
}
