import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AgentState, noDurations } from '../../src/agent/agentState.ts';
import type { CheckOutcome } from '../../src/agent/checkLoop.ts';
import { createObjectStore } from '../../src/agent/follow/objectStore.ts';
import { jsonLog } from '../../src/agent/tell/logLine.ts';
import { createTeller } from '../../src/agent/tell/teller.ts';
import type { ReportProblem } from '../../src/public/core.ts';
import { fakeClock } from './fakeClock.ts';
import { fakeCluster } from './fakeCluster.ts';
import { nodeObject } from './fakeNode.ts';

const problem: ReportProblem = {
  fingerprint: 'f',
  id: 'K8N203',
  severity: 'error',
  service: 'shop/web',
  parts: [],
  seen: `an endpoint is missing ${'ü'.repeat(2000)}`,
  why: '',
  fix: '',
  isServiceMissing: false,
};

const summary = { services: 1, same: 1, missing: 0, differ: 0, extra: 0, staleChains: 0, foreignRules: 0 };
const report: NonNullable<AgentState['last']>['report'] = {
  kind: 'diffReport',
  comparison: 'manifests',
  expectedName: 'manifests',
  foundName: 'n1',
  summary,
  findings: [],
  changes: [],
  unread: [],
  notes: [],
};

const quiet: AgentState = {
  node: 'n1',
  version: '1',
  startedAt: new Date(0),
  isApiUp: true,
  unknown: new Map(),
  gaps: [],
  last: { date: new Date(0), at: 0, mode: 'iptables', report, notes: [], changing: new Set() },
  problems: [],
  checks: { in_order: 1, differs: 0, unknown: 0 },
  comparisons: { node: { count: 1, seconds: 1 }, services: { count: 0, seconds: 0 } },
  durations: noDurations,
  events: { written: 0, failed: 0 },
  aliveAt: 0,
};
const broken: AgentState = { ...quiet, problems: [{ problem, since: 0, sinceDate: new Date(0), isSettled: true }] };
const begins: CheckOutcome = {
  state: broken,
  events: [{ event: 'begin', key: 'K8N203 shop/web', problem }],
  turned: [],
};
const ends: CheckOutcome = { state: quiet, events: [{ event: 'end', key: 'K8N203 shop/web', problem }], turned: [] };
const nothing: CheckOutcome = { state: quiet, events: [], turned: [] };

function open() {
  const cluster = fakeCluster();
  const clock = fakeClock();
  const store = createObjectStore(clock.now);
  store.put('nodes', { kind: 'Node', apiVersion: 'v1' }, nodeObject);
  const lines: string[] = [];
  const log = jsonLog(clock.date, (line) => lines.push(line));
  const start = () =>
    createTeller({ node: 'n1', writesEvents: true, writesCondition: true }, cluster, store, log, clock);
  const names = new Set<string>();
  const path = '/apis/events.k8s.io/v1/namespaces/default/events';
  cluster.answers.set(path, (object) => {
    const { name } = (object as { readonly metadata: { readonly name: string } }).metadata;
    if (names.has(name)) return { kind: 'exists' };
    names.add(name);
    return { kind: 'done', text: '{}' };
  });
  const events = () => cluster.written.filter((one) => one.path.startsWith(path));
  const conditions = () =>
    cluster.written.flatMap(({ path: own, object }) =>
      own === '/api/v1/nodes/n1/status'
        ? (object.status as { readonly conditions: readonly { readonly status: string }[] }).conditions[0]?.status
        : [],
    );
  return { cluster, clock, lines, start, events, conditions };
}

test('one Event when a finding begins, one when it ends; one that comes again is counted up', async () => {
  const { start, events } = open();
  const { tell, events: counts } = start();
  await tell(nothing);
  await tell(begins);
  const [first] = events();
  assert.equal(first?.object.reason, 'KubeProxyRulesDrift');
  assert.deepEqual(first?.object.regarding, { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'node-uid' });
  assert.ok(Buffer.byteLength(String(first?.object.note)) <= 1024);
  assert.match(String(first?.object.eventTime), /^2026-01-01T00:00:00\.000000Z$/);
  await tell(ends);
  assert.equal(events()[1]?.object.reason, 'KubeProxyRulesRestored');
  await tell(begins);
  const counted = events().at(-1);
  assert.equal(counted?.method, 'patch');
  assert.deepEqual(counted?.object.series, { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' });
  assert.deepEqual(counts(), { written: 3, failed: 0 });
});

test('a new agent does not tell what its predecessor told', async () => {
  const { start, events } = open();
  await start().tell(begins);
  const second = start();
  await second.tell(begins);
  assert.deepEqual(
    events().map(({ method }) => method),
    ['create', 'create'],
  );
  assert.deepEqual(second.events(), { written: 0, failed: 0 });
});

test('an Event that cannot be written is counted, and said once', async () => {
  const { cluster, lines, start } = open();
  cluster.setDown(true);
  const { tell, events } = start();
  await tell(begins);
  await tell(ends);
  assert.deepEqual(events(), { written: 0, failed: 2 });
  assert.equal(lines.filter((line) => line.includes('cannot be written')).length, 1);
});

test('the condition is written when it changes, and as a sign of life', async () => {
  const { clock, start, conditions } = open();
  const { tell } = start();
  await tell(nothing);
  await tell(nothing);
  assert.deepEqual(conditions(), ['False']);
  await tell(begins);
  const unknown = new Map([['rules', { since: 0, sinceDate: new Date(0), why: 'nft is not here' }]] as const);
  await tell({ ...nothing, state: { ...broken, unknown } });
  await tell(ends);
  assert.deepEqual(conditions(), ['False', 'True', 'Unknown', 'False']);
  clock.move(301_000);
  await tell(nothing);
  assert.deepEqual(conditions(), ['False', 'True', 'Unknown', 'False', 'False']);
});

test('log lines are JSON, and nothing in them reaches a terminal', async () => {
  const { lines, start } = open();
  const wild = { ...problem, seen: '\u001b[31m\nred' };
  await start().tell({ ...begins, events: [{ event: 'begin', key: 'k', problem: wild }] });
  const line = lines.find((one) => one.includes('K8N203')) ?? '';
  assert.ok(!line.includes('\u001b') && line.indexOf('\n') === line.length - 1);
  const { finding, service, event, level } = JSON.parse(line) as Record<string, string>;
  assert.deepEqual(
    { finding, service, event, level },
    { finding: 'K8N203', service: 'shop/web', event: 'begin', level: 'error' },
  );
});
