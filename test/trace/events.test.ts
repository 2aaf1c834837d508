import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { root } from '../support/compileCase.ts';
import { assertGolden } from '../support/golden.ts';
import { runCli } from '../support/runCli.ts';

/** `k8snet trace --events`: traces that the kernel wrote of real packets, and a log of iptables-legacy. */

const nft = 'trace fixtures/trace/clusterip-nftmode --events golden/recorded/trace-events/nft-monitor.txt';
const xtables = 'trace fixtures/trace/clusterip-iptnft --events golden/recorded/trace-events/xtables-monitor.txt';
const log = 'trace fixtures/trace/lb-local-legacy --events fixtures/trace-cli/kern.log';
const asked = '--from 192.168.10.1 --to 10.96.44.1:9100';

const lines: readonly (readonly [name: string, args: string, status: number])[] = [
  ['nft', nft, 0],
  ['nft-compared', `${nft} ${asked} -v`, 0],
  ['xtables', xtables, 0],
  ['xtables-compared', `${xtables} ${asked}`, 0],
  ['log', `${log} --from 192.168.10.50 --to 203.0.113.50:80`, 0],
  [
    'other-rules',
    `trace fixtures/trace/nodeport-iptnft --events golden/recorded/trace-events/xtables-monitor.txt ${asked}`,
    1,
  ],
];

describe('trace --events', () => {
  for (const [name, args, status] of lines) {
    it(name, () => {
      const run = runCli(args.split(' '));
      assertGolden(`trace-events/${name}.txt`, run.stdout);
      assert.equal(run.status, status, run.stderr);
    });
  }

  it('finds every rule of the dump, keeps packets apart and escapes what it cannot read', () => {
    const read = runCli([...log.split(' '), '-o', 'json']);
    const { packets, unreadable } = JSON.parse(read.stdout);
    assert.equal(packets.length, 2);
    assert.equal(unreadable.length, 1);
    const recorded = packets[0].trace.outcomes[0].first.path;
    assert.ok(
      recorded.some(({ text = '' }: { readonly text?: string }) =>
        text.includes('DNAT --to-destination 10.244.1.40:80'),
      ),
    );
    assert.equal(packets[1].trace.packet.sport, 40002);
    assert.equal(packets[0].trace.outcomes[0].endpoint.service, 'default/ingress:http');
    for (const { stdout } of [read, runCli(log.split(' '))]) assert.doesNotMatch(stdout, /[\u001b\u202e]/);
  });

  it('-o json keeps to its schema', () => {
    const schema = (name: string) => JSON.parse(readFileSync(join(root, `schema/${name}.schema.json`), 'utf8'));
    const ajv = new Ajv({ allowUnionTypes: true });
    const [isTrace, isValid] = [ajv.compile(schema('trace-output')), ajv.compile(schema('trace-events'))];
    for (const args of [nft, `${xtables} ${asked}`, log]) {
      const { stdout } = runCli([...args.split(' '), '-o', 'json']);
      const answer = JSON.parse(stdout);
      for (const { trace } of answer.packets) assert.ok(isTrace(trace), JSON.stringify(isTrace.errors));
      assert.ok(isValid(answer), `${args}: ${JSON.stringify(isValid.errors)}`);
    }
  });

  it('refuses what holds no packet, or not the one that is asked for', () => {
    assert.equal(runCli('trace fixtures/trace/clusterip-nftmode --events package.json'.split(' ')).status, 2);
    assert.equal(runCli(`${nft} --from 192.168.10.1 --to 10.96.44.9:1`.split(' ')).status, 2);
    assert.equal(runCli(`${nft} --from 192.168.10.1`.split(' ')).status, 2);
    assert.equal(runCli('trace fixtures/trace/clusterip-nftmode --events absent.txt'.split(' ')).status, 2);
  });
});
