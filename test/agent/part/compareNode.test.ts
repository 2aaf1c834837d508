import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createObjectStore } from '../../../src/agent/follow/objectStore.ts';
import type { Scope } from '../../../src/agent/judge/comparedNode.ts';
import { compareNode, type Known } from '../../../src/agent/judge/compareNode.ts';
import { judge } from '../../../src/agent/judge/judge.ts';
import type { ReportProblem } from '../../../src/public/core.ts';
import { createDice } from '../../kernel/walk/dice.ts';
import { fileOf, modes, type Random, randomCluster, rulesOf } from './randomNode.ts';

const seed = Number(process.env.FUZZ_SEED ?? 31);
const rounds = Number(process.env.FUZZ_ROUNDS ?? 60);

/**
 * A part of a node must never hide what the whole shows: random changes of objects, rules that follow them or do not,
 * and damage; after each, what came of parts is what a comparison of everything says.
 */
for (const mode of modes)
  test(`parts of a node in ${mode} mode say what the whole says (seed ${seed})`, async () => {
    const random = createDice(seed).below;
    let now = 0;
    const store = createObjectStore(() => now);
    const cluster = randomCluster(mode, random, store);
    let rules = await rulesOf(mode, cluster.objects());
    let damaged: string | undefined;
    let known: Known | undefined;
    const scopes: Record<Scope, number> = { nothing: 0, services: 0, node: 0 };
    for (let round = 0; round < rounds; round += 1) {
      now += 1000;
      const what = random(8);
      for (let changes = what < 5 ? 1 + random(3) : 0; changes > 0; changes -= 1) cluster.change();
      // Mostly, kube-proxy follows at once.
      if (random(4) > 0) {
        rules = await rulesOf(mode, cluster.objects());
        damaged = undefined;
      }
      if (what === 5) damaged = damage(rules, random);
      if (what === 6) damaged = undefined;
      const files = [{ file: fileOf(mode), bytes: Buffer.from(damaged ?? rules) }];
      const changing = random(3) === 0 ? store.changedSince(now) : new Set<string>();
      const around = { node: 'n1', store, files, changing, at: now, judge };
      const compared = await compareNode(around, known);
      const whole = await judge({ node: 'n1', objects: [...store.all()], files, changing });
      assert.equal(compared.kind, whole.kind === 'judged' ? 'compared' : 'undecided');
      if (compared.kind !== 'compared' || whole.kind !== 'judged') continue;
      scopes[compared.scope] += 1;
      known = compared.known;
      const shown = (problems: readonly ReportProblem[]) =>
        problems.map(({ fingerprint, seen }) => `${fingerprint} ${seen}`);
      if (known.open.size === 0) {
        assert.deepEqual(shown(known.judged.problems), shown(whole.problems), `round ${round}, ${compared.scope}`);
      } else {
        // What names several Services differs while one of them is not judged.
        const told = new Set(shown(known.judged.problems));
        // So does one that shares an address with such a one.
        const shares = (service: string) =>
          cluster.objects().some(({ kind, metadata, spec }) => {
            const { externalIPs } = (spec ?? {}) as { readonly externalIPs?: unknown };
            return kind === 'Service' && `shop/${metadata.name}` === service && externalIPs !== undefined;
          });
        const sure = whole.problems.filter(
          ({ service }) => service !== undefined && !changing.has(service) && !shares(service),
        );
        for (const problem of shown(sure))
          assert.ok(told.has(problem), `round ${round}, ${compared.scope}: ${problem}`);
      }
      // What is still open is counted when it is judged.
      if (known.open.size > 0) continue;
      assert.equal(known.judged.report.summary.services, whole.report.summary.services, `round ${round}`);
      assert.deepEqual([...known.judged.services].sort(), [...whole.services].sort());
    }
    for (const [scope, count] of Object.entries(scopes)) assert.ok(count > 0, `${scope}: ${JSON.stringify(scopes)}`);
  });

/** Takes a line away, writes one twice, or changes an address in it. */
function damage(rules: string, random: Random): string {
  const lines = rules.split('\n');
  const at = random(lines.length);
  const line = lines[at] as string;
  const kind = random(3);
  if (kind === 0) lines.splice(at, 1);
  else if (kind === 1) lines.splice(at, 0, line);
  else lines[at] = line.replace(/10\.244\.\d+\.\d+/, '10.244.9.9');
  return lines.join('\n');
}
