import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProblemTracker, type Observation } from '../../src/agent/track/trackProblems.ts';
import type { ReportProblem } from '../../src/public/core.ts';

const settle = 10_000;

function problem(id: string, service: string | undefined, seen = id, parts: readonly string[] = []): ReportProblem {
  return {
    fingerprint: `${id} ${service} ${seen}`,
    id,
    severity: 'error',
    ...(service !== undefined && { service }),
    parts,
    seen,
    why: '',
    fix: '',
    isServiceMissing: false,
  };
}

function begin() {
  const tracker = createProblemTracker();
  const look = (at: number, problems: readonly ReportProblem[], more: Partial<Observation> = {}) => {
    const seen = {
      at,
      date: new Date(at),
      problems,
      changing: new Set<string>(),
      settle,
      groundSince: -Infinity,
      policiesSince: -Infinity,
    };
    return tracker.observe({ ...seen, ...more }).map(({ event, key }) => `${event} ${key}`);
  };
  return { tracker, look };
}

test('a difference counts once it has stayed, and that it is gone counts at once', () => {
  const { tracker, look } = begin();
  const wrong = [problem('K8N203', 'shop/web')];
  assert.deepEqual(look(0, wrong), []);
  assert.equal(tracker.nextAt(), settle);
  assert.deepEqual(look(settle - 1, wrong), []);
  assert.deepEqual(look(settle, wrong), ['begin K8N203 shop/web']);
  assert.deepEqual(look(settle + 1, wrong), []);
  assert.deepEqual(look(settle + 2, []), ['end K8N203 shop/web']);
  assert.deepEqual(tracker.problems(), []);
});

test('what comes and goes with each sync never counts', () => {
  const { look } = begin();
  for (let at = 0; at < 10 * settle; at += settle / 2) {
    const other = problem('K8N203', `shop/web-${at}`);
    assert.deepEqual(look(at, [other]), []);
  }
});

test('leftovers count each for itself: that some are always on their way out is no finding', () => {
  const { look } = begin();
  for (let round = 0; round < 8; round += 1) {
    const parts = [`shop/a-${round}`, `shop/a-${round + 1}`];
    assert.deepEqual(look((round * settle) / 2, [problem('K8N202', undefined, `${round}`, parts)]), []);
  }
  const stale = (round: number) => [problem('K8N202', undefined, `${round}`, ['shop/old', `shop/b-${round}`])];
  assert.deepEqual(look(8 * settle, stale(1)), []);
  assert.deepEqual(look(9 * settle, stale(2)), ['begin K8N202']);
});

test('a Service that is known to be wrong stays so when it is wrong in another way', () => {
  const { look } = begin();
  look(0, [problem('K8N203', 'shop/web', 'one endpoint')]);
  assert.deepEqual(look(settle, [problem('K8N203', 'shop/web', 'one endpoint')]), ['begin K8N203 shop/web']);
  assert.deepEqual(look(settle + 1, [problem('K8N203', 'shop/web', 'two endpoints')]), []);
  assert.deepEqual(look(settle + 2, []), ['end K8N203 shop/web']);
});

test('of a Service that is changing, what was known stands and nothing new counts', () => {
  const { tracker, look } = begin();
  const wrong = [problem('K8N203', 'shop/web')];
  const changing = new Set(['shop/web']);
  look(0, wrong);
  assert.deepEqual(look(settle, wrong, { changing }), []);
  look(settle + 1, wrong);
  assert.equal(tracker.problems()[0]?.isSettled, true);
  assert.deepEqual(look(settle + 2, [], { changing }), []);
  assert.equal(tracker.problems().length, 1);
  assert.deepEqual(look(settle + 3, []), ['end K8N203 shop/web']);
});

test('after the Node or the settings changed, or were unknown, everything waits again', () => {
  const { tracker, look } = begin();
  const wrong = [problem('K8N201', 'shop/web')];
  look(0, wrong);
  assert.deepEqual(look(settle, wrong, { groundSince: 5000 }), []);
  assert.equal(tracker.nextAt(), 15_000);
  assert.deepEqual(look(15_000, wrong, { groundSince: 5000 }), ['begin K8N201 shop/web']);
});

test('Services do not wait for Pods that come and go; rules of policies do', () => {
  const { look } = begin();
  const wrong = [problem('K8N201', 'shop/web'), problem('unexplained', undefined, 'a chain of a policy')];
  look(0, wrong, { policiesSince: 0 });
  assert.deepEqual(look(settle, wrong, { policiesSince: settle - 1 }), ['begin K8N201 shop/web']);
  assert.deepEqual(look(2 * settle, wrong, { policiesSince: settle - 1 }), ['begin unexplained']);
});
