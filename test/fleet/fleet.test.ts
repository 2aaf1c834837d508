import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';
import { fleetRun as fleet, schemaProblem } from './fleetRun.ts';
import { nodeNames, randomCluster, seededRandom } from './randomCluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-fleet-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const cluster = join(folder, 'cluster.json');
writeFileSync(cluster, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: randomCluster(seededRandom(7)) }));
const all = join(folder, 'all');
assert.equal(runCli(['compile', '-q', '-f', cluster, '--all-nodes', '--out-dir', all]).status, 0);
const saveOf = (node: string) => readFileSync(join(all, node, 'iptables.v4.save'), 'utf8');

const nodes = join(folder, 'nodes');
mkdirSync(nodes);
for (const node of nodeNames) writeFileSync(join(nodes, `${node}.save`), saveOf(node));

const damage = (text: string) => text.replace(/(?<=--to-destination )10\.\S+/, '192.0.2.1:9');

describe('nodes that are as they should be', () => {
  for (const form of ['folder of files', 'files', 'folder of folders'] as const) {
    it(`get no findings: ${form}`, () => {
      const words =
        form === 'files'
          ? nodeNames.map((node) => join(nodes, `${node}.save`))
          : [form === 'folder of files' ? nodes : all];
      const { status, stdout, stderr } = runCli(['diff', '-f', cluster, ...words]);
      assert.equal(status, 0, stdout + stderr);
      assert.match(stdout, /^4 nodes: 4 as they should be\n/);
    });
  }
});

describe('damaged nodes among others', () => {
  const some = join(folder, 'some');
  cpSync(nodes, some, { recursive: true });
  for (const node of ['n2', 'n4']) writeFileSync(join(some, `${node}.save`), damage(saveOf(node)));

  it('are found, and nothing else', () => {
    const { status, nodes: found, summary } = fleet(['diff', '-f', cluster, some]);
    assert.equal(status, 1);
    assert.deepEqual(
      found.map(({ node, state }) => [node, state]),
      [
        ['n1', 'same'],
        ['n2', 'differs'],
        ['n3', 'same'],
        ['n4', 'differs'],
      ],
    );
    const groups = (summary.groups as { fails: boolean; nodes: string[] }[]).filter(({ fails }) => fails);
    assert.deepEqual([...new Set(groups.flatMap((group) => group.nodes))].sort(), ['n2', 'n4']);
  });

  it('get the report of a run of their own', () => {
    const lines = fleet(['diff', '-f', cluster, some]).nodes;
    assert.equal(lines.length, nodeNames.length);
    for (const line of lines) {
      const node = line.node as string;
      const single = runCli(['diff', '-f', cluster, '--node', node, join(some, `${node}.save`), '-o', 'json']);
      assert.deepEqual(line.report, JSON.parse(single.stdout));
      assert.equal(line.exitCode, single.status);
    }
  });

  it('lead the report for people, grouped', () => {
    const { stdout } = runCli(['diff', '-f', cluster, some]);
    assert.match(stdout, /^4 nodes: 2 as they should be, 2 differ\n\nerror K8N203 shop\/s\d:http: n2/);
    assert.match(stdout, /\nnode n2 \(.*n2\.save\)\n/);
  });

  it('are shown once if many have the same findings', () => {
    const alike = join(folder, 'alike');
    cpSync(nodes, alike, { recursive: true });
    const jump = /^-A PREROUTING .*-j KUBE-SERVICES\n/m;
    for (const node of nodeNames) writeFileSync(join(alike, `${node}.save`), saveOf(node).replace(jump, ''));
    const headings = (...more: readonly string[]) => {
      const { stdout, status } = runCli(['diff', '-f', cluster, alike, ...more]);
      assert.equal(status, 1);
      return stdout.split('\n').filter((line) => /^node |^the same findings/.test(line));
    };
    assert.deepEqual(
      headings().map((line) => line.replace(/ \(.*save\)/, '')),
      ['node n1', 'the same findings as on n1: n2, n3, n4 (-v prints each)'],
    );
    assert.equal(headings('-v').length, 4);
    // A fault of its own is shown.
    writeFileSync(join(alike, 'n3.save'), damage(saveOf('n3').replace(jump, '')));
    assert.equal(headings().length, 4);
  });

  it('end the run with --fail-fast, whichever is judged first', () => {
    const { status, nodes: found, summary } = fleet(['diff', '-f', cluster, some, '--fail-fast']);
    assert.equal(status, 1);
    assert.deepEqual(
      found.map(({ node }) => node),
      ['n1', 'n2'],
    );
    assert.equal((summary.nodes as { skipped: number }).skipped, 2);
  });

  it('are test suites of JUnit and runs of SARIF', () => {
    const junit = runCli(['diff', '-f', cluster, some, '-o', 'junit']).stdout;
    assert.deepEqual(
      [...junit.matchAll(/<testsuite name="([^"]*)"/g)].map((match) => match[1]),
      nodeNames.map((node) => `node ${node}`),
    );
    const sarif = JSON.parse(runCli(['diff', '-f', cluster, some, '-o', 'sarif']).stdout) as {
      runs: { automationDetails: { id: string } }[];
    };
    assert.deepEqual(
      sarif.runs.map(({ automationDetails }) => automationDetails.id),
      nodeNames.map((node) => `k8snet/${node}`),
    );
  });

  it('are found by their routes', () => {
    const routed = join(folder, 'routed');
    cpSync(all, routed, { recursive: true });
    const own = '10.244.0.0/24 dev cni0 proto kernel scope link src 10.244.0.1';
    const others = [2, 3, 4].map((at) => `10.244.${at - 1}.0/24 via 192.168.7.${at} dev eth0`);
    const routes = ['default via 192.168.7.254 dev eth0', own, ...others.slice(0, 2)];
    writeFileSync(join(routed, 'n1', 'routes.txt'), `${routes.join('\n')}\n`);
    const { nodes: found } = fleet(['doctor', '-f', cluster, routed]);
    const [first] = found;
    const single = runCli(['doctor', '-f', cluster, '--node', 'n1', join(routed, 'n1'), '-o', 'json']);
    assert.match(single.stdout, /K8N521/);
    assert.deepEqual(first?.report, JSON.parse(single.stdout));
  });

  it('are found by doctor where the dump shows it', () => {
    const { status, nodes: found } = fleet(['doctor', some]);
    assert.equal(found.length, 4);
    assert.ok(status === 0 || status === 1);
  });

  it('come out the same from shards that are merged', () => {
    const files = [0, 1, 2].map((index) => {
      const file = join(folder, `shard-${index}.jsonl`);
      writeFileSync(file, runCli(['diff', '-f', cluster, some, '--shard', `${index}/3`, '-o', 'json']).stdout);
      return file;
    });
    const whole = fleet(['diff', '-f', cluster, some]);
    const merged = fleet(['report', 'merge', ...files]);
    assert.equal(merged.status, 1);
    assert.deepEqual(merged.lines, whole.lines);
    const part = fleet(['report', 'merge', ...files.slice(1)]);
    assert.equal(part.status, 1);
    assert.match(part.stderr, /shard-missing: shards are missing: 0\/3/);
    writeFileSync(join(folder, 'cut.jsonl'), readFileSync(files[0] as string, 'utf8').slice(0, -30));
    const cut = runCli(['report', 'merge', join(folder, 'cut.jsonl')]);
    assert.equal(cut.status, 2);
    assert.match(cut.stderr, /not-a-report/);
  });
});

describe('nodes that cannot be judged', () => {
  const bad = join(folder, 'bad');
  mkdirSync(join(bad, 'twice'), { recursive: true });
  writeFileSync(join(bad, 'n1.save'), saveOf('n1'));
  writeFileSync(join(bad, 'n2.save'), '');
  writeFileSync(join(bad, 'n3.save'), saveOf('n3').slice(0, -40));
  writeFileSync(join(bad, 'n4.save'), saveOf('n4').replaceAll('shop/', 'other/'));
  writeFileSync(join(bad, 'n5.save'), 'hello\n');
  writeFileSync(join(bad, 'twice', 'n1.save'), saveOf('n1'));

  it('are named, and the others are judged', () => {
    const { status, nodes: found, summary } = fleet(['diff', '-f', cluster, bad, '--node-name', '{node}.save']);
    assert.equal(status, 2);
    const codes = found.map(({ given, state, problems }) => [
      (given as string).slice(bad.length + 1),
      state,
      ...(problems as { code: string; severity: string }[]).flatMap((one) =>
        one.severity === 'error' ? one.code : [],
      ),
    ]);
    assert.deepEqual(codes, [
      ['n1.save', 'same'],
      ['n2.save', 'unjudged', 'not-a-dump'],
      ['n3.save', 'unjudged', 'cut-dump'],
      ['n4.save', 'unjudged', 'other-cluster'],
      ['n5.save', 'unjudged', 'not-a-dump'],
      ['twice', 'unjudged', 'node-given-twice'],
    ]);
    assert.equal((summary.nodes as { unjudged: number }).unjudged, 5);
  });

  it('are those of nftables mode whose listing ends early, wherever it does', () => {
    const made = ['compile', '-q', '-f', cluster, '--mode', 'nftables', '--node', 'n2', '--family', 'ipv4'];
    const whole = runCli(made).stdout;
    const listings = join(folder, 'listings');
    mkdirSync(listings);
    writeFileSync(join(listings, 'n1.nft'), runCli(made.map((word) => (word === 'n2' ? 'n1' : word))).stdout);
    for (const share of [0.3, 0.6, 0.9]) {
      writeFileSync(join(listings, 'n2.nft'), whole.slice(0, whole.length * share));
      const { status, nodes: found } = fleet(['diff', '-f', cluster, listings]);
      assert.equal(status, 2);
      assert.deepEqual(
        found.map(({ node, state }) => [node, state]),
        [
          ['n1', 'same'],
          ['n2', 'unjudged'],
        ],
        `${share}`,
      );
    }
  });
});

describe('every line', () => {
  it('is as the schema says', () => {
    for (const args of [
      ['diff', '-f', cluster, nodes],
      ['diff', '-f', cluster, join(folder, 'bad')],
      ['doctor', nodes, '--shard', '1/2'],
    ]) {
      for (const line of fleet(args).lines) assert.equal(schemaProblem(line), undefined);
    }
  });
});

describe('words', () => {
  const usage: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      '--node among many',
      ['diff', '-f', cluster, nodes, '--node', 'n1'],
      /--node and several nodes exclude each other/,
    ],
    ['a form of one node', ['diff', '-f', cluster, nodes, '-o', 'html'], /--output html is about one node/],
    ['facts of one node', ['diff', '-f', cluster, nodes, '--routes', 'x'], /--routes is about one node/],
    ['a shard that there is not', ['diff', '-f', cluster, nodes, '--shard', '3/3'], /give a number from 0/],
    ['a pattern without a name', ['diff', '-f', cluster, nodes, '--node-name', 'x'], /write \{node\} once/],
  ];
  for (const [what, args, message] of usage) {
    it(`${what}: refused`, () => {
      const { status, stderr } = runCli(args);
      assert.equal(status, 2);
      assert.match(stderr, message);
    });
  }
});
