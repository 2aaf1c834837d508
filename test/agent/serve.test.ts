import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { parseListenAddress } from '../../src/agent/agentOptions.ts';
import { type AgentState, noDurations } from '../../src/agent/agentState.ts';
import { agentReport } from '../../src/agent/serve/agentReport.ts';
import type { Answering } from '../../src/agent/serve/answerRequest.ts';
import { metricsText } from '../../src/agent/serve/metricsText.ts';
import { isOwnCall, ownCall } from '../../src/agent/serve/ownCall.ts';
import { tokenReviewer } from '../../src/agent/serve/reviewToken.ts';
import { serveAgent } from '../../src/agent/serve/serveAgent.ts';
import { clusterStatus } from '../../src/agent/status/clusterStatus.ts';
import { statusText } from '../../src/agent/status/statusText.ts';
import { fakeClock } from './fakeClock.ts';
import { fakeCluster } from './fakeCluster.ts';

const costs = { cpuSeconds: 1.5, residentBytes: 5e7, startSeconds: 1_700_000_000, programsCpuSeconds: 0.25 };

const problem = {
  fingerprint: 'f',
  id: 'K8N203',
  severity: 'error',
  service: 'shop/web',
  parts: [],
  seen: 'an endpoint is missing "\u001b[31m',
  why: 'why',
  fix: 'kubectl …',
  isServiceMissing: false,
} as const;

function stateWith(more: Partial<AgentState> = {}): AgentState {
  const summary = { services: 4, same: 3, missing: 0, differ: 1, extra: 0, staleChains: 0, foreignRules: 0 };
  const report = {
    kind: 'diffReport',
    comparison: 'manifests',
    expectedName: 'manifests',
    foundName: 'n1',
    summary,
    findings: [],
    changes: [],
    unread: [],
    notes: [],
  } as const;
  return {
    node: 'n1',
    version: '1.2.3',
    startedAt: new Date(0),
    isApiUp: true,
    unknown: new Map(),
    gaps: [],
    last: { date: new Date(60_000), at: 25_000, mode: 'iptables', report, notes: [], changing: new Set() },
    problems: [{ problem, since: 1000, sinceDate: new Date(1000), isSettled: true }],
    checks: { in_order: 3, differs: 2, unknown: 1 },
    comparisons: { node: { count: 2, seconds: 1 }, services: { count: 0, seconds: 0 } },
    durations: noDurations,
    events: { written: 1, failed: 0 },
    aliveAt: 0,
    ...more,
  };
}

test('metrics: names, units, bounded labels; a finding that has gone is 0', () => {
  const shown = new Map();
  const text = metricsText(stateWith(), 31_000, costs, shown);
  assert.match(text, /^k8snet_differences\{severity="error",finding="K8N203"\} 1$/m);
  assert.match(text, /^k8snet_services\{state="differs"\} 1$/m);
  assert.match(text, /^k8snet_services\{state="same"\} 3$/m);
  assert.match(text, /^k8snet_rules_behind_seconds 30$/m);
  assert.match(text, /^k8snet_last_check_timestamp_seconds 60$/m);
  assert.doesNotMatch(text, /shop|web/);
  const later = metricsText(stateWith({ problems: [] }), 31_000, costs, shown);
  assert.match(later, /^k8snet_differences\{severity="error",finding="K8N203"\} 0$/m);
  assert.match(later, /^k8snet_rules_behind_seconds 0$/m);
  if (!existsSync('/usr/bin/promtool')) return;
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: later, encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
});

async function serve(more: Partial<Answering> = {}) {
  const clock = fakeClock();
  const answering: Answering = {
    state: () => stateWith(),
    clock,
    patience: 1000,
    servesReport: false,
    review: undefined,
    ownToken: () => 'own-token',
    shown: new Map(),
    ...more,
  };
  const served = await serveAgent({ listen: { host: '127.0.0.1', port: 0 } }, answering);
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${served.port}${path}`, { headers, method });
    return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
  };
  return { clock, get, close: served.close };
}

test('health, readiness, and what is not there', async () => {
  const unknown = new Map([['objects', { since: 0, sinceDate: new Date(0), why: 'connection refused' }]] as const);
  const { get, clock, close } = await serve();
  assert.equal((await get('/healthz')).status, 200);
  assert.equal((await get('/readyz')).status, 200);
  assert.equal((await get('/elsewhere')).status, 404);
  assert.equal((await get('/metrics', {}, 'POST')).status, 405);
  clock.move(2000);
  assert.equal((await get('/healthz')).status, 503);
  await close();
  const lost = await serve({ state: () => stateWith({ unknown }) });
  const { status, text } = await lost.get('/readyz');
  assert.equal(status, 503);
  assert.match(text, /objects unknown since 1970-01-01T00:00:00.000Z: connection refused/);
  await lost.close();
});

test('a report is served where it was asked for, and to programs of the same Pod', async () => {
  const closed = await serve();
  assert.equal((await closed.get('/report')).status, 404);
  const own = ownCall('/report', closed.clock.date(), 'own-token') ?? '';
  assert.equal((await closed.get('/report', { 'x-k8snet-own': own })).status, 200);
  const other = ownCall('/report', closed.clock.date(), 'other-token') ?? '';
  assert.equal((await closed.get('/report', { 'x-k8snet-own': other })).status, 404);
  closed.clock.move(61_000);
  assert.equal((await closed.get('/report', { 'x-k8snet-own': own })).status, 404);
  await closed.close();
  const open = await serve({ servesReport: true });
  assert.match((await open.get('/report')).type, /application\/json/);
  for (const [path, headers] of [
    ['/report.html', {}],
    ['/report?format=html', {}],
    ['/report', { accept: 'text/html,*/*' }],
  ] as const)
    assert.match((await open.get(path, headers)).type, /text\/html/);
  await open.close();
});

test('the proof of a call holds for its path and its minute alone', () => {
  const date = new Date(1_000_000);
  const call = ownCall('/report', date, 'token');
  assert.ok(isOwnCall(call, '/report', date, 'token'));
  assert.ok(!isOwnCall(call, '/metrics', date, 'token'));
  assert.ok(!isOwnCall(call, '/report', new Date(1_070_000), 'token'));
  assert.ok(!isOwnCall('x', '/report', date, 'token'));
  assert.ok(!isOwnCall(call, '/report', date, 'token2'));
});

test('with --auth token-review the API server says who may read', async () => {
  const cluster = fakeCluster();
  const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
  const access = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const done = (status: object) => ({ kind: 'done', text: JSON.stringify({ status }) }) as const;
  cluster.answers.set(reviews, (object) => {
    const { spec } = object as { readonly spec: { readonly token: string } };
    return done(spec.token === 'bad' ? {} : { authenticated: true, user: { username: spec.token, groups: ['g'] } });
  });
  cluster.answers.set(access, (object) => {
    const { spec } = object as { readonly spec: { readonly user: string } };
    return done({ allowed: spec.user === 'prometheus' });
  });
  const clock = fakeClock();
  const { get, close } = await serve({ review: tokenReviewer(cluster.writer, clock) });
  const ask = async (token: string) => (await get('/metrics', { authorization: `Bearer ${token}` })).status;
  assert.equal((await get('/metrics')).status, 401);
  assert.equal(await ask('bad'), 401);
  assert.equal(await ask('somebody'), 403);
  assert.equal(await ask('prometheus'), 200);
  const asked = cluster.written.length;
  assert.equal(await ask('prometheus'), 200);
  assert.equal(cluster.written.length, asked);
  cluster.setDown(true);
  assert.equal(await ask('later'), 503);
  assert.equal((await get('/healthz')).status, 200);
  await close();
});

test('listen addresses', () => {
  assert.deepEqual(parseListenAddress('127.0.0.1:9965'), { host: '127.0.0.1', port: 9965 });
  assert.deepEqual(parseListenAddress('[::1]:1'), { host: '::1', port: 1 });
  assert.deepEqual(parseListenAddress(':80'), { host: '::', port: 80 });
  for (const text of ['::1:80', '80', 'a b:1', '1.2.3.4:99999', '']) assert.equal(parseListenAddress(text), undefined);
});

const schemaOf = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../schema', name), 'utf8')) as object;

test('report and status keep to their schemas', () => {
  const check = (schema: string, value: object) => {
    const validate = new Ajv().compile(schemaOf(schema));
    assert.ok(validate(JSON.parse(JSON.stringify(value))), JSON.stringify(validate.errors));
  };
  const report = agentReport(stateWith(), 31_000);
  check('agent-report.schema.json', report);
  check('agent-report.schema.json', agentReport(stateWith({ last: undefined, problems: [] }), 0));
  const good = { ...report, findings: [], node: 'n2' };
  const status = clusterStatus([
    { kind: 'reported', node: 'n1', pod: 'k8snet/a', report },
    { kind: 'reported', node: 'n2', pod: 'k8snet/b', report: good },
    { kind: 'reported', node: 'n3', pod: 'k8snet/c', report: { ...good, node: 'n3', mode: 'nftables' } },
    { kind: 'unknown', node: 'n4', why: 'no agent' },
  ]);
  check('status-output.schema.json', status);
  assert.deepEqual(status.summary, { nodes: 4, inOrder: 2, differ: 1, unknown: 1 });
  const text = statusText(status);
  assert.match(text, /^n1 +differs +iptables +4 /m);
  assert.match(text, /^n1 .* 6s ago$/m);
  assert.match(text, /n1: the only node that differs/);
  assert.match(text, /n3: mode nftables, most have iptables/);
  assert.match(text, /n4: no agent/);
  assert.match(text, /error K8N203 shop\/web: an endpoint is missing[\s\S]*on n1/);
  assert.match(text, /4 nodes: 2 in order, 1 differs, 1 unknown/);
  assert.ok(!text.includes('\u001b'));
});
