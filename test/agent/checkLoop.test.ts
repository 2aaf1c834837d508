import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { secondsBehind, serviceCounts } from '../../src/agent/agentState.ts';
import { type CheckOutcome, createCheckLoop } from '../../src/agent/checkLoop.ts';
import { followObjects } from '../../src/agent/follow/followObjects.ts';
import { createObjectStore } from '../../src/agent/follow/objectStore.ts';
import { judge } from '../../src/agent/judge/judge.ts';
import type { HereReading } from '../../src/live/node/readHere.ts';
import { fakeClock } from './fakeClock.ts';
import { fakeCluster, servicesPath, slicesPath } from './fakeCluster.ts';
import { fillCluster, putService, readingOf, rulesOf } from './fakeNode.ts';

const interval = 15_000;
const settle = 10_000;

/** An agent beside a cluster and a node that tests change; `until` lets it run until an outcome is as it should be. */
async function openAgent(t: TestContext) {
  const clock = fakeClock();
  const cluster = fakeCluster();
  fillCluster(cluster);
  let reading: HereReading | undefined = readingOf(await rulesOf(cluster));
  let comparisons = 0;
  let parts = 0;
  let answersAfter = 0;
  const ending = new AbortController();
  const store = createObjectStore(clock.now);
  const told: string[] = [];
  let waiting: ((outcome: CheckOutcome) => void) | undefined;
  const followed = followObjects(
    cluster.api,
    store,
    { node: 'n1', comparesPolicies: false },
    () => loop.changed(),
    ending.signal,
  );
  const loop = createCheckLoop({
    node: 'n1',
    version: 'test',
    interval,
    settle: () => settle,
    clock,
    api: {
      get: async (path) => {
        clock.move(answersAfter);
        return cluster.api.get(path);
      },
    },
    store,
    knowledge: followed.knowledge,
    judge: {
      ask: (request) => {
        comparisons += 1;
        return judge(request);
      },
      askPortion: judge,
      rest: async () => {},
      askPart: (request) => {
        parts += 1;
        return judge(request);
      },
      close: async () => {},
    },
    read: async (report) => {
      if (reading === undefined) report({ code: 'node-unread', severity: 'error', message: 'nft is not here', at: [] });
      return reading;
    },
    random: () => 0.5,
    checked: async (outcome) => {
      for (const { event, key } of outcome.events) told.push(`${event} ${key}`);
      for (const { thing, why } of outcome.turned) told.push(`${thing} ${why === undefined ? 'known' : 'unknown'}`);
      await new Promise((resolve) => setImmediate(resolve));
      waiting?.(outcome);
      // The next check is made when somebody waits for one.
      while (waiting === undefined && !ending.signal.aborted) await new Promise((resolve) => setImmediate(resolve));
    },
  });
  const running = loop.run(ending.signal);
  t.after(async () => {
    ending.abort();
    cluster.setDown(true);
    await running;
    await followed.ended;
  });
  const until = (holds: (outcome: CheckOutcome) => boolean, most = 12) =>
    new Promise<CheckOutcome>((resolve, reject) => {
      let checks = 0;
      waiting = (outcome) => {
        checks += 1;
        if (!holds(outcome) && checks <= most) return;
        waiting = undefined;
        if (holds(outcome)) resolve(outcome);
        else reject(new Error(`not within ${most} checks: ${told.join(', ')}`));
      };
    });
  return {
    clock,
    cluster,
    loop,
    told,
    until,
    comparisons: () => comparisons,
    parts: () => parts,
    setAnswersAfter: (milliseconds: number) => {
      answersAfter = milliseconds;
    },
    setRules: (next: HereReading | undefined) => {
      reading = next;
    },
    checks: async (count: number) => {
      for (let at = 0; at < count; at += 1) await until(() => true);
    },
  };
}

const isInOrder = ({ state }: CheckOutcome) => state.last !== undefined && state.problems.length === 0;

test('equal rules and objects are compared once', async (t) => {
  const agent = await openAgent(t);
  await agent.until(isInOrder);
  await agent.checks(3);
  const before = agent.comparisons();
  const asked = agent.cluster.asked.length;
  await agent.checks(5);
  assert.equal(agent.comparisons(), before);
  // One question a check: whether somebody answers.
  assert.equal(agent.cluster.asked.length, asked + 5);
  assert.deepEqual(serviceCounts(agent.loop.state()), { same: 3, differs: 0, missing: 0, changing: 0, unexpected: 0 });
});

test('damage counts after the settle time, and its repair at once', async (t) => {
  const agent = await openAgent(t);
  await agent.until(isInOrder);
  const whole = await rulesOf(agent.cluster);
  agent.setRules(readingOf(whole.replace(/^-A KUBE-SERVICES .*web-2.*\n/m, '')));
  const first = await agent.until(({ state }) => state.problems.length > 0);
  assert.equal(first.state.problems[0]?.isSettled, false);
  const begun = await agent.until(({ events }) => events.length > 0);
  assert.deepEqual(
    begun.events.map(({ event, key }) => `${event} ${key}`),
    ['begin K8N201 shop/web-2'],
  );
  assert.equal(serviceCounts(begun.state).missing, 1);
  assert.ok(secondsBehind(begun.state, agent.clock.now()) >= settle / 1000);
  agent.setRules(readingOf(whole));
  const ended = await agent.until(({ events }) => events.length > 0, 1);
  assert.deepEqual(
    ended.events.map(({ event, key }) => `${event} ${key}`),
    ['end K8N201 shop/web-2'],
  );
});

test('rules that lag behind objects for less than the settle time are nothing', async (t) => {
  const agent = await openAgent(t);
  await agent.until(isInOrder);
  for (let round = 0; round < 4; round += 1) {
    putService(agent.cluster, `new-${round}`, 20 + round);
    putService(agent.cluster, 'web-1', 1, 30 + round);
    await agent.checks(1);
    agent.setRules(readingOf(await rulesOf(agent.cluster)));
    await agent.checks(1);
    agent.cluster.remove(servicesPath, `new-${round}`, 'shop');
    agent.cluster.remove(slicesPath, `new-${round}-x`, 'shop');
    await agent.checks(1);
    agent.setRules(readingOf(await rulesOf(agent.cluster)));
  }
  await agent.until(isInOrder);
  assert.deepEqual(
    agent.told.filter((text) => /begin|end/.test(text)),
    [],
  );
});

test('rules that stay behind objects count', async (t) => {
  const agent = await openAgent(t);
  await agent.until(isInOrder);
  putService(agent.cluster, 'web-1', 1, 30);
  const begun = await agent.until(({ events }) => events.length > 0);
  assert.ok(begun.events.every(({ event, problem }) => event === 'begin' && problem.service === 'shop/web-1'));
});

test('while the API server is gone nothing is judged; what was found stands, and nothing is lost', async (t) => {
  const agent = await openAgent(t);
  await agent.until(isInOrder);
  const whole = await rulesOf(agent.cluster);
  agent.cluster.setDown(true);
  agent.setRules(readingOf(whole.replace(/^-A KUBE-SERVICES .*web-2.*\n/m, '')));
  const lost = await agent.until(({ state }) => state.unknown.has('objects'));
  assert.equal(lost.state.isApiUp, false);
  await agent.checks(4);
  assert.deepEqual(agent.loop.state().problems, []);
  const since = agent.loop.state().unknown.get('objects')?.since;
  assert.equal(since, lost.state.unknown.get('objects')?.since);
  agent.cluster.setDown(false);
  // The watches wait for real, and the clock of the loop does not.
  const begun = await agent.until(({ events }) => events.length > 0, 1_000_000);
  assert.deepEqual(
    begun.events.map(({ key }) => key),
    ['K8N201 shop/web-2'],
  );
  assert.deepEqual(agent.told.slice(-3), ['objects unknown', 'objects known', 'begin K8N201 shop/web-2']);
});

test('a server that lets the agent wait does not make it look less often', async (t) => {
  const agent = await openAgent(t);
  await agent.until(isInOrder);
  const slow = 2 * interval;
  agent.setAnswersAfter(slow);
  await agent.checks(1);
  const before = agent.clock.now();
  await agent.checks(3);
  assert.equal(agent.clock.now() - before, 3 * (slow + interval));
});

test('rules that cannot be read, or half of them, are unknown and no difference', async (t) => {
  const agent = await openAgent(t);
  await agent.until(isInOrder);
  const whole = readingOf(await rulesOf(agent.cluster));
  agent.setRules(undefined);
  const unread = await agent.until(({ state }) => state.unknown.has('rules'));
  assert.equal(unread.state.unknown.get('rules')?.why, 'nft is not here');
  agent.setRules({ answers: [], failed: new Set(['dumps/iptables.nft.v4.save']) });
  await agent.checks(3);
  assert.ok(agent.loop.state().unknown.has('rules'));
  agent.setRules(whole);
  const again = await agent.until(({ state }) => !state.unknown.has('rules'));
  assert.deepEqual(again.state.problems, []);
});

test('that people’s clock is set forth or back changes nothing', async (t) => {
  const agent = await openAgent(t);
  await agent.until(isInOrder);
  const whole = await rulesOf(agent.cluster);
  agent.setRules(readingOf(whole.replace(/^-A KUBE-SERVICES .*web-3.*\n/m, '')));
  await agent.until(({ state }) => state.problems.length > 0);
  agent.clock.setDate(new Date('2036-01-01T00:00:00Z'));
  const before = agent.clock.now();
  await agent.until(({ events }) => events.length > 0);
  assert.ok(agent.clock.now() - before <= interval + settle);
  agent.clock.setDate(new Date('2016-01-01T00:00:00Z'));
  await agent.checks(2);
  assert.ok(secondsBehind(agent.loop.state(), agent.clock.now()) < 120);
});

test('after its place was lost a watch lists again, and what went meanwhile is gone', async (t) => {
  const agent = await openAgent(t);
  await agent.until(isInOrder);
  agent.cluster.forget();
  agent.cluster.remove(servicesPath, 'web-3', 'shop');
  agent.cluster.remove(slicesPath, 'web-3-x', 'shop');
  agent.setRules(readingOf(await rulesOf(agent.cluster)));
  const two = await agent.until(({ state }) => state.last?.report.summary.services === 2);
  assert.deepEqual(two.state.problems, []);
});
