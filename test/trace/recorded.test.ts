import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';
import type { PacketQuestion } from '../../src/trace/question/askPacket.ts';
import { readAllSeen } from '../../src/trace/question/readAllSeen.ts';
import { traceJson } from '../../src/trace/show/traceJson.ts';

/** The kernel's own traces of real packets under 55 rule sets: each way that was recorded, rule by rule. */

const root = join(import.meta.dirname, '../..');
const cases = readdirSync(join(root, 'fixtures/trace')).sort();

interface Recorded {
  readonly events: readonly string[];
  readonly probes: Readonly<Record<string, Probe>>;
}

interface Probe {
  readonly question: PacketQuestion & { readonly seen?: readonly string[] };
  readonly ways: readonly Way[];
  readonly complete?: true;
  readonly frequencies?: Readonly<Record<string, number>>;
}

interface Walk<E> {
  readonly path: readonly E[];
  readonly result: Readonly<Record<string, unknown>>;
}

interface Way {
  readonly first: Walk<number>;
  readonly later?: Walk<number>;
  readonly reply?: Walk<number>;
  readonly conntrack?: Readonly<Record<'orig' | 'reply', Readonly<Record<string, unknown>>>>;
  readonly sourceNat?: true;
}

interface Event {
  readonly leg?: number;
  readonly hook: string;
  readonly backend: string;
  readonly family: string;
  readonly table: string;
  readonly chain: string;
  readonly rule: number | null;
  readonly verdict: string;
  readonly target?: string;
  readonly policy?: string;
}

interface Outcome {
  readonly probability: { readonly num: number; readonly den: number } | null;
  readonly first: Walk<Event>;
  readonly later: Walk<Event> | null;
  readonly reply: Walk<Event> | null;
  readonly conntrack: Way['conntrack'] | null;
}

for (const name of cases) {
  const recorded = JSON.parse(readFileSync(join(root, `golden/recorded/trace/${name}.json`), 'utf8')) as Recorded;
  const folder = join(root, 'fixtures/trace', name);
  const files = readdirSync(folder)
    .sort()
    .map((file) => ({ name: file, text: readFileSync(join(folder, file), 'utf8') }));
  const node = readDumps(files, { name });
  const tracer = createNodeTracer(node);
  test(`${name}: all of its files are read`, () => assert.deepEqual(node.unread, []));
  for (const [probe, { question, ways, complete, frequencies }] of Object.entries(recorded.probes)) {
    test(`${name}: ${probe}`, () => {
      const seen = readAllSeen(question.seen ?? []);
      const result = tracer.trace(question, 'kind' in seen ? {} : { seen });
      if ('kind' in result) assert.fail(result.message);
      const { outcomes } = traceJson(result, tracer.endpointNames(result.packet.family)) as { outcomes: Outcome[] };
      const texts = outcomes.map(({ first }) => first.path.map(eventText));
      for (const way of ways) {
        const path = way.first.path.map((at) => recorded.events[at]);
        const own = outcomes.filter((_, at) => isEqual(texts[at] ?? [], path));
        if (own.length === 0) assert.deepEqual(texts[0], path);
        const problems = own.map((outcome) => differences(outcome, way, recorded.events));
        const best = problems.reduce((least, one) => (one.length < least.length ? one : least));
        assert.deepEqual(best, []);
      }
      const shares = outcomes.map(({ probability }) =>
        probability === null ? Number.NaN : probability.num / probability.den,
      );
      assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9, 'shares come to 1');
      if (complete) assert.ok(outcomes.length <= ways.length, `${outcomes.length} ways, the kernel has ${ways.length}`);
      if (frequencies) assertFrequencies(frequencies, outcomes, shares);
    });
  }
}

function eventText(event: Event): string {
  const { leg = 1, hook, backend, family, table, chain, rule, verdict, target, policy } = event;
  return [leg, hook, backend, family, table, chain, rule ?? '-', verdict, target ?? policy ?? '-'].join(' ');
}

/** A recorded event without a back end says nothing of it. */
function isEqual(own: readonly string[], kernel: readonly (string | undefined)[]): boolean {
  return own.length === kernel.length && own.every((text, at) => text === kernel[at]);
}

function differences(outcome: Outcome, way: Way, events: readonly string[]): readonly string[] {
  const problems = results(outcome.first, way.first, way.sourceNat ? 'sport' : undefined);
  for (const part of ['later', 'reply'] as const) {
    const want = way[part];
    if (want === undefined) continue;
    const own = outcome[part];
    if (own === null) {
      problems.push(`${part}: missing`);
      continue;
    }
    const path = own.path.map(eventText);
    const kernel = want.path.map((at) => events[at]);
    if (!isEqual(path, kernel)) problems.push(`${part}: ${JSON.stringify(path)} instead of ${JSON.stringify(kernel)}`);
    problems.push(...results(own, want, way.sourceNat && part === 'later' ? 'sport' : undefined));
  }
  for (const side of ['orig', 'reply'] as const) {
    for (const [key, value] of Object.entries(way.conntrack?.[side] ?? {})) {
      const own = outcome.conntrack?.[side]?.[key];
      const isFree = side === 'reply' && key === 'dport' && way.sourceNat && own === null;
      if (own !== value && !isFree) problems.push(`conntrack ${side} ${key}: ${own} instead of ${value}`);
    }
  }
  return problems;
}

function results(own: Walk<unknown>, kernel: Walk<unknown>, free: string | undefined): string[] {
  return Object.entries(kernel.result).flatMap(([key, value]) => {
    const found = own.result[key];
    return found === value || (key === free && found === null) ? [] : [`${key}: ${found} instead of ${value}`];
  });
}

/** Four hundred connections and more: no share is off by what chance makes of one in a million such tests. */
function assertFrequencies(
  measured: Readonly<Record<string, number>>,
  outcomes: readonly Outcome[],
  shares: readonly number[],
): void {
  const claimed = new Map<string, number>();
  for (const [at, { first }] of outcomes.entries()) {
    const to = `${first.result.dst}:${first.result.dport}`;
    claimed.set(to, (claimed.get(to) ?? 0) + (shares[at] ?? 0));
  }
  const total = Object.values(measured).reduce((sum, count) => sum + count, 0);
  for (const [to, count] of Object.entries(measured)) {
    const share = claimed.get(to) ?? 0;
    const deviation = Math.sqrt(total * share * (1 - share));
    assert.ok(Math.abs(count - share * total) <= 5 * deviation + 1e-9, `${to}: ${count} of ${total}, claimed ${share}`);
  }
}
