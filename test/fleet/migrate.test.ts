import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { MigrateSummary } from '../../src/behaviour/migrate/fleet/summarizeMigrations.ts';
import { runCli } from '../support/runCli.ts';
import { edit, fleetRun, schemaProblem, writeFleet } from './fleetRun.ts';
import { nodeNames, randomCluster, seededRandom } from './randomCluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-migrate-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const items = randomCluster(seededRandom(7));
const { manifests, dumps } = writeFleet(join(folder, 'iptables'), items);
const ask = ['migrate', '-f', manifests, '--to', 'nftables'];
const migrate = (args: readonly string[]) => fleetRun<MigrateSummary>(args);

/** A folder with a node of each mode. */
const mixed = join(folder, 'mixed');
for (const [at, mode] of ['iptables', 'ipvs', 'nftables'].entries()) {
  const { dumps: own } = writeFleet(join(folder, `mode-${mode}`), items, ['--mode', mode]);
  cpSync(join(own, `n${at + 1}`), join(mixed, `n${at + 1}`), { recursive: true });
}

describe('each node', () => {
  for (const [what, nodes] of [
    ['of one mode', dumps],
    ['of three modes', mixed],
  ] as const) {
    it(`gets the report of a run of its own: ${what}`, () => {
      const { nodes: lines, status } = migrate([...ask, nodes]);
      assert.equal(status, 1);
      assert.equal(lines.length, nodes === dumps ? nodeNames.length : 3);
      for (const line of lines) {
        const node = line.node as string;
        const own = runCli([...ask, '--node', node, join(nodes, node), '--limit', '3', '-o', 'json']);
        assert.deepEqual(line.report, JSON.parse(own.stdout));
        assert.equal(line.exitCode, own.status);
      }
    });
  }
});

describe('nodes of one mode', () => {
  it('have equal changes, needs and steps told once, with the nodes', () => {
    const { summary, nodes, lines } = migrate([...ask, dumps]);
    const changes = nodes.flatMap(
      ({ report }) => (report as { changes: { title: string; services: string[] }[] }).changes,
    );
    assert.ok(summary.groups.length < changes.length);
    const onAll = summary.groups.filter((group) => group.nodes.length === nodeNames.length);
    assert.ok(onAll.length > 0);
    for (const { example, services, title } of summary.groups) {
      assert.match(example.at(-1) ?? '', /--from \S+ --to \S+ --proto/);
      const told = new Set(services.flatMap((one) => one.services));
      const own = new Set(changes.filter((one) => one.title === title).flatMap((one) => one.services));
      for (const service of told) assert.ok(own.has(service), service);
    }
    assert.equal(summary.kinds.length, 1);
    for (const need of summary.needs) assert.deepEqual(need.nodes, [...nodeNames]);
    for (const line of lines) assert.equal(schemaProblem(line), undefined);
  });

  it('are counted first, and each has a line', () => {
    const { stdout } = runCli([...ask, dumps]);
    assert.match(
      stdout,
      /^kube-proxy: iptables mode of 1\.36\.3 to nftables mode of 1\.36\.3\n=+\n\n4 nodes: 0 where nothing changes/,
    );
    for (const part of ['1. What changes, for whom, where', '4. The switch, node by node', '5. The way back'])
      assert.equal(stdout.split(part).length, 2, part);
    for (const node of nodeNames) assert.match(stdout, new RegExp(`\n- ${node} \\(.*${node}\\): iptables mode`));
    assert.match(runCli([...ask, dumps, '-o', 'markdown']).stdout, /^# kube-proxy: .*\n\n4 nodes: /);
  });

  it('come out the same from shards that are merged, with their packets', () => {
    const files = [0, 1, 2].map((index) => {
      const file = join(folder, `migrate-${index}.jsonl`);
      writeFileSync(file, runCli([...ask, mixed, '--shard', `${index}/3`, '-o', 'json']).stdout);
      return file;
    });
    const merged = fleetRun(['report', 'merge', ...files]);
    assert.equal(merged.status, 1, merged.stderr);
    assert.deepEqual(merged.lines, migrate([...ask, mixed]).lines);
    assert.equal(runCli(['report', 'merge', ...files]).stdout, runCli([...ask, mixed]).stdout);
    const other = join(folder, 'reach.jsonl');
    writeFileSync(other, runCli(['reach', dumps, '-o', 'json']).stdout);
    const both = runCli(['report', 'merge', files[0] as string, other]);
    assert.equal(both.status, 2);
    assert.match(both.stderr, /is of migrate, .* of reach: merge each for itself/);
  });
});

describe('nodes of several modes', () => {
  it('are told apart, and those that are there already have nothing to do', () => {
    const { summary } = migrate([...ask, mixed]);
    assert.deepEqual(
      summary.kinds.map(({ from, nodes }) => [from.mode, ...nodes]),
      [
        ['iptables', 'n1'],
        ['ipvs', 'n2'],
        ['nftables', 'n3'],
      ],
    );
    assert.deepEqual(summary.nodes, { judged: 3, same: 1, differ: 2, unjudged: 0, skipped: 0 });
    const { stdout } = runCli([...ask, mixed]);
    assert.equal(stdout.split('Nothing to do: they run it already.').length, 3);
  });

  it('stop behind the first that something changes for, with --fail-fast', () => {
    const { summary } = migrate([...ask, mixed, '--fail-fast']);
    assert.equal(summary.nodes.judged, 1);
    assert.equal(summary.nodes.skipped, 2);
  });
});

describe('other programs', () => {
  it('that rely on chains of kube-proxy are told once, with their nodes, and nothing of their names reaches a terminal', () => {
    const some = join(folder, 'dependents');
    cpSync(dumps, some, { recursive: true });
    for (const [node, source] of [
      ['n2', '10.9.2.0/24'],
      ['n4', '10.9.4.0/24'],
    ] as const)
      edit(join(some, node, 'iptables.v4.save'), (text) =>
        text.replace(
          /^\*nat\n(?::.*\n)*/m,
          (head) => `${head}:EVIL - [0:0]\n-A EVIL -s ${source} -m comment --comment "\u001b[2J" -j KUBE-MARK-MASQ\n`,
        ),
      );
    const { summary } = migrate([...ask, some]);
    assert.equal(summary.dependents.length, 1);
    const [only] = summary.dependents;
    assert.deepEqual(only?.nodes, ['n2', 'n4']);
    assert.deepEqual(
      only?.rules.map(({ nodes }) => nodes),
      [['n2'], ['n4']],
    );
    for (const form of ['text', 'markdown', 'json'])
      assert.doesNotMatch(runCli([...ask, some, '-o', form]).stdout, /\u001b/);
  });
});

describe('nodes that cannot be judged', () => {
  it('are named, and the others are judged', () => {
    const bad = join(folder, 'bad');
    cpSync(dumps, bad, { recursive: true });
    cpSync(join(dumps, 'n1'), join(bad, 'twice', 'n1'), { recursive: true });
    for (const file of ['iptables.v4.save', 'iptables.v6.save']) {
      writeFileSync(join(bad, 'n2', file), '');
    }
    edit(join(bad, 'n4', 'iptables.v4.save'), (text) => text.replaceAll('shop/', 'other/'));
    edit(join(bad, 'n3', 'iptables.v4.save'), (text) => text.slice(0, -40));
    const nodes = ['n1', 'n2', 'n3', 'n4', 'twice/n1'].map((name) => join(bad, name));
    const { status, nodes: lines, summary } = migrate([...ask, ...nodes]);
    assert.equal(status, 2);
    assert.equal(summary.nodes.judged, 1);
    assert.deepEqual(
      lines.map(({ problems }) =>
        (problems as { code: string; severity: string }[]).flatMap((one) => (one.severity === 'error' ? one.code : [])),
      ),
      [[], ['not-a-dump'], ['cut-dump'], ['other-cluster'], ['node-given-twice']],
    );
    const { stdout } = runCli([...ask, ...nodes]);
    assert.match(stdout, /\n- n3 \(.*\): not judged: .* is cut: .*\(cut-dump\)/s);
  });
});

describe('words', () => {
  it('one node alone is told as ever', () => {
    const { stdout } = runCli([...ask, '--node', 'n1', join(dumps, 'n1')]);
    assert.match(stdout, /as the node n1 treats packets/);
  });
  const usage: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['--node among many', [...ask, dumps, '--node', 'n1'], /--node and several nodes exclude each other/],
    ['facts of one node', [...ask, dumps, '--routes', 'x'], /--routes is about one node/],
    ['nowhere to go', ['migrate', '-f', manifests, dumps], /say where to: --to MODE/],
  ];
  for (const [what, args, message] of usage) {
    it(`${what}: refused`, () => {
      const { status, stderr } = runCli(args);
      assert.equal(status, 2);
      assert.match(stderr, message);
    });
  }
});
