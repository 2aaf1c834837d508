import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Ajv } from 'ajv';
import { parse, stringify } from 'yaml';
import { root } from '../support/compileCase.ts';
import { agentMetrics as metrics } from './agentMetrics.ts';

/** Alert rules, scrape configuration and dashboard of `deploy/monitoring`: what Prometheus and Grafana say of them. */
const monitoring = join(root, 'deploy/monitoring');
const lacks = existsSync('/usr/bin/promtool') ? undefined : 'promtool is not installed: apt-get install prometheus';
if (process.env.K8SNET_REQUIRE_KERNEL === '1' && lacks !== undefined) throw new Error(lacks);
const skip = lacks ?? false;
const folder = mkdtempSync(join(tmpdir(), 'k8snet-monitoring-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const alerts = (
  parse(readFileSync(join(monitoring, 'alerts.yaml'), 'utf8')) as {
    readonly groups: readonly { readonly rules: readonly Alert[] }[];
  }
).groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(readFileSync(join(monitoring, 'dashboard.json'), 'utf8')) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
};

function promtool(...words: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8', cwd: monitoring });
  assert.equal(status, 0, stdout + stderr);
}

test('alert rules are well-formed', { skip }, () => {
  promtool('check', 'rules', '--lint-fatal', 'alerts.yaml');
});

test('alerts fire when they should, and not before', { skip }, () => {
  promtool('test', 'rules', 'alerts.test.yaml');
});

test('every alert has a test in which it fires', () => {
  const { tests } = parse(readFileSync(join(monitoring, 'alerts.test.yaml'), 'utf8')) as {
    readonly tests: readonly {
      readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[];
    }[];
  };
  const fired = tests.flatMap(({ alert_rule_test: cases }) =>
    cases.flatMap(({ alertname, exp_alerts: expected }) => (expected.length > 0 ? alertname : [])),
  );
  assert.deepEqual([...new Set(fired)].sort(), alerts.map(({ alert }) => alert).sort());
});

test('every alert says what is wrong, and how bad that is', () => {
  for (const { alert, labels, annotations } of alerts) {
    assert.match(labels.severity, /^(?:critical|warning|info)$/, alert);
    assert.deepEqual(Object.keys(annotations), ['summary', 'description'], alert);
  }
});

test('the scrape configuration is one of Prometheus', { skip }, () => {
  const text = readFileSync(join(monitoring, 'scrape.yaml'), 'utf8');
  const configuration = parse(text) as { scrape_configs: Record<string, unknown>[] };
  // Debian's Prometheus is built without the discovery of Pods.
  for (const job of configuration.scrape_configs) {
    assert.deepEqual(job.kubernetes_sd_configs, [{ role: 'pod', namespaces: { names: ['k8snet'] } }]);
    delete job.kubernetes_sd_configs;
  }
  writeFileSync(join(folder, 'prometheus.yml'), stringify(configuration));
  promtool('check', 'config', '--syntax-only', join(folder, 'prometheus.yml'));
});

const expressions = [
  ...alerts.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: title, expr }))),
];

test('every metric and label that is asked for is one that the agent serves', () => {
  for (const { where, expr } of expressions) {
    const names = [...expr.matchAll(/\bk8snet_\w+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ''));
    const known = names.flatMap((name) => {
      assert.ok(metrics[name], `${where}: ${name}`);
      return metrics[name] ?? [];
    });
    const labels = [...expr.matchAll(/\bby \(([^)]*)\)|(\w+)=~?"/g)].flatMap(([, by, one]) =>
      (by ?? one ?? '').split(', '),
    );
    for (const label of labels)
      assert.ok(label === 'instance' || label === 'job' || known.includes(label), `${where}: label ${label}`);
  }
});

test('every metric is shown, and legends name labels that are there', () => {
  const text = expressions.map(({ expr }) => expr).join('\n');
  for (const name of Object.keys(metrics)) assert.ok(text.includes(name), name);
  for (const { title, targets } of dashboard.panels)
    for (const { expr, legendFormat } of targets)
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(label === 'instance' || labelsOf(expr).includes(label), `${title}: ${label}`);
});

/** Those that an expression leaves: those it sums by, or all. */
function labelsOf(expression: string): readonly string[] {
  const [, by] = /\bby \(([^)]*)\)/.exec(expression) ?? [];
  return by?.split(', ') ?? Object.entries(metrics).flatMap(([name, own]) => (expression.includes(name) ? own : []));
}

test('the expressions of the dashboard are well-formed', { skip }, () => {
  const rules = dashboard.panels.flatMap(({ id, targets }) =>
    targets.map(({ expr }, at) => ({
      record: `panel:${id}:${at}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
    })),
  );
  writeFileSync(join(folder, 'panels.yaml'), stringify({ groups: [{ name: 'panels', rules }] }));
  promtool('check', 'rules', '--lint=none', join(folder, 'panels.yaml'));
});

test('the dashboard has the shape that Grafana reads', () => {
  const schema = JSON.parse(readFileSync(join(root, 'test/deploy/dashboard.schema.json'), 'utf8')) as object;
  const validate = new Ajv({ allErrors: true }).compile(schema);
  assert.ok(validate(dashboard), JSON.stringify(validate.errors));
  for (const wrong of [{ panels: [{}] }, { uid: 'x y' }, { schemaVersion: '39' }, { templating: { list: [{}] } }])
    assert.ok(!validate({ ...dashboard, ...wrong }), JSON.stringify(wrong));
});

test('panels have numbers of their own, lie in the grid and not on each other', () => {
  const { panels } = dashboard;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const taken = new Map<string, string>();
  for (const { title, gridPos } of panels) {
    assert.ok(gridPos.x + gridPos.w <= 24, title);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        assert.equal(taken.get(`${x},${y}`), undefined, `${title} lies on ${taken.get(`${x},${y}`)}`);
        taken.set(`${x},${y}`, title);
      }
  }
});

test('variables that are used are there', () => {
  const used = new Set(
    [...JSON.stringify(dashboard).matchAll(/\$\{?(?!__)(\w+)\}?/g)].map(([, name]) => name as string),
  );
  assert.deepEqual([...used].sort(), dashboard.templating.list.map(({ name }) => name).sort());
});
