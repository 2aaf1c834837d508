import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { root } from '../support/compileCase.ts';
import { assertGolden } from '../support/golden.ts';
import { runCli } from '../support/runCli.ts';

/** `k8snet trace` as people and programs call it. */

const nodePort = 'fixtures/trace/nodeport-legacy';
const manifests = 'fixtures/services/nodeport-basic/manifests.yaml';

/** Command lines, whose output is a golden file, and their exit status. */
const lines: readonly (readonly [name: string, args: string, status: number])[] = [
  ['node-port', `trace ${nodePort} --from outside --to node:30080`, 0],
  ['node-port-verbose', `trace ${nodePort} --from outside --to node:30080 -v`, 0],
  ['node-port-table', `trace ${nodePort} --from outside --to node:30080 -o table`, 0],
  ['node-port-mermaid', `trace ${nodePort} --from outside --to node:30080 -o mermaid`, 0],
  ['node-port-dot', `trace ${nodePort} --from outside --to node:30080 -o dot`, 0],
  ['node-port-count', `trace ${nodePort} --from outside --to node:30080 --count 600`, 0],
  ['chosen', `trace ${nodePort} --from outside --to node:30080 --choose KUBE-SEP-XSG2736X2SPAA24L`, 0],
  ['localhost', `trace ${nodePort} --from node --to 127.0.0.1:30080 -o table`, 0],
  [
    'node-without-facts',
    'trace golden/recorded/services/nodeport-basic/iptables/iptables.v4.save --from node --to 10.96.100.1:80',
    0,
  ],
  ['refused', 'trace fixtures/trace/no-endpoints-iptnft --from 10.244.1.200 --to 10.96.150.1:80', 1],
  ['policy', 'trace fixtures/trace/netpol-ipblock-ipset --from 10.1.0.12 --to 10.1.0.10:80 -o table', 1],
  ['unknown-match', 'trace fixtures/trace-cli/unknown.save --from outside --to 10.0.0.1:80', 3],
  ['fragment', 'trace fixtures/trace-cli/fragment.txt --from 192.168.10.50 --to 10.96.100.1:80', 0],
  ['collected', 'trace fixtures/trace-cli/collected --from 10.244.1.7 --to 10.0.0.1:80 -o table', 1],
  ['manifests', `trace -f ${manifests} --node node-1 --kube-version 1.30 --from outside --to default/front:http`, 0],
  [
    'manifests-nftables',
    `trace -f ${manifests} --node node-1 --mode nftables --kube-version 1.36 --from outside --to node:30080`,
    0,
  ],
  [
    'manifests-ipvs',
    `trace -f ${manifests} --node node-1 --mode ipvs --kube-version 1.30 --from node --to default/front:http -o table -q`,
    0,
  ],
];

describe('trace', () => {
  for (const [name, args, status] of lines) {
    it(`${name}: ${args}`, () => {
      const run = runCli(args.split(' '));
      // What -v says on standard error has times in it.
      assertGolden(`trace/${name}.txt`, run.stdout);
      assert.equal(run.status, status, run.stderr);
    });
  }

  it('-o json keeps to its schema, also for IPv6, ICMP and batches', () => {
    const schema = JSON.parse(readFileSync(join(root, 'schema/trace-output.schema.json'), 'utf8'));
    const isValid = new Ajv({ allowUnionTypes: true }).compile(schema);
    const asked = [
      `trace ${nodePort} --from outside --to node:30080 -o json`,
      `trace ${nodePort} --from 10.244.1.200 --to 10.244.1.100 --proto icmp -o json`,
      'trace fixtures/trace/ipv6-iptnft --from node --to [fd00:10:96::1]:80 -o json',
      'trace fixtures/trace/no-endpoints-iptnft --from 10.244.1.200 --to 10.96.150.1:80 -o json',
      'trace fixtures/trace-cli/unknown.save --from outside --to 10.0.0.1:80 -o json',
    ];
    for (const args of asked) {
      const { stdout, stderr } = runCli(args.split(' '));
      assert.ok(isValid(JSON.parse(stdout)), `${args}: ${JSON.stringify(isValid.errors)} ${stderr}`);
    }
    assert.ok(!isValid({ schema: 'k8snet.trace/v1' }));
    const counts = JSON.parse(readFileSync(join(root, 'schema/trace-count.schema.json'), 'utf8'));
    const isCount = new Ajv().compile(counts);
    const counted = runCli(`trace ${nodePort} --from outside --to node:30080 --count 50 -o json`.split(' '));
    assert.ok(isCount(JSON.parse(counted.stdout)), JSON.stringify(isCount.errors));
  });

  it('--batch answers every line in order and says which it cannot walk', () => {
    const batch = [
      '{"id": 1, "from": "outside", "to": "node:30080", "proto": "tcp"}',
      '{"id": "two", "from": "nobody/here", "to": "10.0.0.1:1"}',
      'not JSON',
      '{"id": 4, "from": "10.244.1.200", "to": "10.96.100.1:80", "seen": ["10.244.1.200=X@1s"]}',
    ];
    const { status, stdout } = runCli(['trace', nodePort, '--batch', '-', '-o', 'json'], { input: batch.join('\n') });
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: string });
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error === undefined]),
      [
        [1, true],
        ['two', false],
        [null, false],
        [4, true],
      ],
    );
    assert.equal(status, 2);
  });

  it('-o json names the findings on rules that were met', () => {
    const findings = (to: string) => {
      const args = [
        'trace',
        'fixtures/trace/fault-no-postrouting',
        '--from',
        '192.168.10.50',
        '--to',
        to,
        '-o',
        'json',
      ];
      return (JSON.parse(runCli(args).stdout) as { findings: string[] }).findings;
    };
    assert.deepEqual(findings('192.168.10.1:22'), []);
    assert.deepEqual(findings('192.168.10.1:30080'), ['K8N207']);
  });

  it('--expect holds or fails', () => {
    const expect = (...what: readonly string[]) =>
      runCli([
        'trace',
        nodePort,
        '--from',
        'outside',
        '--to',
        'node:30080',
        '-o',
        'table',
        ...what.flatMap((each) => ['--expect', each]),
      ]).status;
    assert.equal(expect('answered', 'to=10.244.0.0/16', 'source=192.168.10.1,10.244.1.254', '!dropped'), 0);
    assert.equal(expect('to=10.244.1.100:8080'), 1);
    assert.equal(expect('out=eth0'), 1);
    assert.equal(expect('nonsense'), 2);
  });

  it('affinity holds for its time and no longer', () => {
    const ways = (...more: readonly string[]) => {
      const args = [
        'trace',
        'fixtures/trace/affinity-legacy',
        '--from',
        '10.244.1.200',
        '--to',
        '10.96.140.1:80',
        '-o',
        'json',
        ...more,
      ];
      return (JSON.parse(runCli(args).stdout) as { outcomes: { dnat: string }[] }).outcomes.map(({ dnat }) => dnat);
    };
    const all = ways();
    assert.ok(all.length > 1);
    const chain = /:(KUBE-SEP-\w+)/.exec(
      readFileSync(join(root, 'fixtures/trace/affinity-legacy/iptables.legacy.v4.save'), 'utf8'),
    )?.[1];
    const seen = `10.244.1.200=${chain}@1s`;
    assert.equal(ways('--seen', seen).length, 1);
    assert.equal(ways('--seen', seen, '--at', '+5h').length, all.length);
  });

  const wrong: readonly (readonly [args: string, message: RegExp])[] = [
    [`${nodePort} --from outside`, /name sender and receiver/],
    [`${nodePort} --from outside --to 10.0.0.1`, /which port\?/],
    ['fixtures/trace/ipv6-iptnft --from outside --to fd00::1', /which port\? write \[fd00::1\]:PORT/],
    [
      `${nodePort} --from 10.0.0.1 --to [fd00::1]:80`,
      /no rules of IPv6, only of IPv4: add what ip6tables-save, |different families/,
    ],
    [`${nodePort} --from outside --to node:80 --in nothing`, /the node has no such interface/],
    [`${nodePort} --from 192.168.10.1 --in eth0 --to 10.0.0.1:80`, /an address of the node itself/],
    [`${nodePort} --from shop/nobody --to node:80`, /no Pod or Service of this name/],
    [`${nodePort} --from outside --to node:80 --proto ggp`, /unknown protocol ggp/],
    [`${nodePort} --from outside --to node:80 --flags X`, /unknown flags/],
    [`${nodePort} --from outside --to node:80 --seen x`, /write ADDRESS=LIST@AGE/],
    [`${nodePort} --from outside --to node:80 --at noon`, /write how long after the dump/],
    [`${nodePort} --from outside --to node:80 --count 0`, /--count 0/],
    [`${nodePort} --from outside --to node:80 --choose NONE`, /no way comes through NONE/],
    ['--from outside --to node:80', /there are no rules to walk/],
  ];
  for (const [args, message] of wrong) {
    it(`refuses ${args}`, () => {
      const { status, stdout, stderr } = runCli(['trace', ...args.split(' ')]);
      assert.equal(status, 2, stdout);
      assert.match(stderr, message);
    });
  }
});
