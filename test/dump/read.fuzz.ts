import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { escapeText } from '../../src/common/text/escapeText.ts';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { diffDumps } from '../../src/diff/diffDumps.ts';
import { diffManifests } from '../../src/diff/diffManifests.ts';
import { diffPolicies } from '../../src/diff/policies/diffPolicies.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { splitKinds } from '../../src/dump/splitKinds.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import { canonicalText } from '../../src/node/canonicalText.ts';
import type { NodeRules } from '../../src/node/nodeRules.ts';
import type { DiffReport } from '../../src/report/diffReport.ts';
import { renderReportText } from '../../src/report/forms/renderReportText.ts';
import { loadWordDiff } from '../../src/report/forms/wordDiff.ts';
import { plainReportStyle } from '../../src/report/reportStyle.ts';
import { compileCase, compileFiles, root } from '../support/compileCase.ts';
import { takesAll } from '../support/drawn.ts';
import { fuzzSeed as seed } from '../support/fuzzSeed.ts';
import { hangGuard } from '../support/hangGuard.ts';

/** `FUZZ_BYTES` says how many bytes are changed in all. */
const budget = Number(process.env.FUZZ_BYTES ?? (takesAll ? 250_000 : 125_000));

const captures = join(root, 'fixtures/diff/captures');
const policies = join(root, 'golden/recorded/networkpolicy/post-01-test-network-policy/kube-router');
const seeds: readonly string[] = [
  ...readdirSync(captures).map((name) => join(captures, name)),
  ...['node-1.iptables', 'node-1.ipset'].map((name) => join(policies, name)),
].map((file) => readFileSync(file, 'latin1'));

/** What one program printed, or what several did into one file, as `cat` joins them. */
const source = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...seeds) },
  {
    weight: 1,
    arbitrary: fc.shuffledSubarray([...seeds], { minLength: 2, maxLength: 6 }).map((texts) => texts.join('\n')),
  },
);

interface Change {
  /** Share of the text that lies before it. */
  readonly at: number;
  readonly kind: 'byte' | 'escape' | 'wide' | 'cut' | 'copy';
  readonly value: number;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.oneof(
    { weight: 30, arbitrary: fc.constant('byte' as const) },
    { weight: 1, arbitrary: fc.constantFrom('escape' as const, 'wide' as const, 'cut' as const, 'copy' as const) },
  ),
  value: fc.integer({ min: 0, max: 255 }),
});

/** Few changes leave most lines readable; many reach what is read when little makes sense any more. */
const changes = fc.oneof(
  fc.array(change, { minLength: 1, maxLength: 20 }),
  fc.array(change, { minLength: 500, maxLength: 2000 }),
);

const wide = ['\u202e', '\u2028', '\ufeff', '\ud800', '\u{e0041}', '\u0661', '\u200b', '中'];

/** The text with all changes, and how many of its bytes are others now; what was cut or copied counts as one. */
function mutate(text: string, list: readonly Change[]): { readonly text: string; readonly bytes: number } {
  const placed = list.map((one) => ({ ...one, place: Math.floor(one.at * text.length) }));
  placed.sort((a, b) => a.place - b.place);
  const pieces: string[] = [];
  let done = 0;
  let bytes = 0;
  for (const { place, kind, value } of placed) {
    const from = Math.max(done, place);
    pieces.push(text.slice(done, from), put(kind, value, text, from));
    done = from + (kind === 'byte' ? 1 : kind === 'cut' ? value : 0);
    bytes += kind === 'escape' ? clearScreen.length : 1;
  }
  pieces.push(text.slice(done));
  return { text: pieces.join(''), bytes };
}

function put(kind: Change['kind'], value: number, text: string, from: number): string {
  switch (kind) {
    case 'byte':
      return String.fromCharCode(value);
    case 'escape':
      return clearScreen;
    case 'wide':
      return wide[value % wide.length] as string;
    case 'copy':
      return text.slice(from, from + value);
    case 'cut':
      return '';
  }
}

const clearScreen = '\x1b[2J\x07';
const context = { locate: () => undefined, style: plainReportStyle } as never;

it(`bytes changed anywhere in dumps of any kind neither stop nor hang what reads them (seed ${seed})`, async (t) => {
  const wordDiff = await loadWordDiff();
  const node = ['--node', 'node-1'];
  const policyCase = await compileFiles(
    [join(root, 'fixtures/networkpolicy/post-01-test-network-policy/manifests.yaml')],
    node,
  );
  const modes = ['iptables', 'ipvs', 'nftables'];
  const services = await Promise.all(modes.map((mode) => compileCase('services/lb-basic', '--mode', mode)));
  const guard = hangGuard(`reading changed dumps, seed ${seed}`);
  const safe = (report: DiffReport) => {
    for (const piece of renderReportText(report, context, wordDiff)) {
      for (const line of piece.split('\n')) assert.equal(escapeText(line), line);
    }
  };
  const wholes = new Map<string, NodeRules>();
  const counts = { runs: 0, bytes: 0, mixed: 0 };
  const property = fc.property(source, changes, fc.nat(2), (original, list, mode) => {
    guard.beat();
    const { text, bytes } = mutate(original, list);
    if (splitKinds(text).length > 1) counts.mixed += 1;
    const dump = readDumps([{ name: 'a', text }], { name: 'a' });
    const whole = wholes.get(original) ?? readDumps([{ name: 'b', text: original }], { name: 'b' });
    if (seeds.includes(original)) wholes.set(original, whole);
    for (const piece of canonicalText(dump)) assert.equal(typeof piece, 'string');
    safe(diagnoseDump(dump));
    const found = diffDumps(whole, dump, { level: 'rules', hasForeign: true });
    safe(found);
    const compiled = services[mode]?.compiled ?? assert.fail();
    safe(diffManifests(compiled, dump, { level: 'rules', hasNfacct: false, family: 'both', ...noObjectFacts }));
    safe({ ...found, ...diffPolicies(policyCase.compiled ?? assert.fail(), dump) });
    counts.runs += 1;
    counts.bytes += bytes;
  });
  for (let round = 0; counts.bytes < budget; round += 1) fc.assert(property, { seed: seed + round, numRuns: 50 });
  await guard.stop();
  t.diagnostic(`${counts.bytes} bytes changed in ${counts.runs} dumps, ${counts.mixed} of them of several kinds`);
  assert.ok(counts.mixed > counts.runs / 10);
});
