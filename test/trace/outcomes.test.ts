import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';
import { traceJson } from '../../src/trace/show/traceJson.ts';

/** What real packets did under kube-proxy's recorded rules: who got them, with which source, who was refused. */

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'golden/recorded/outcomes');

type RecordedOutcome =
  | readonly ['arrives', string, string, boolean | 'unjudged']
  | readonly ['leaked', string, string]
  | readonly ['refused', string]
  | readonly ['timeout'];

interface Recorded {
  readonly facts: object;
  readonly listeners: readonly string[];
  readonly probes: readonly (readonly [string, string, string, readonly RecordedOutcome[]])[];
}

interface Outcome {
  readonly first: { readonly result: Readonly<Record<string, string | number | null>> };
  readonly reply: { readonly result: { readonly verdict: string } } | null;
}

for (const file of readdirSync(folder).sort()) {
  const [scenario = '', mode = ''] = file.split('.');
  const { facts, listeners, probes } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded;
  test(`${scenario} in ${mode} mode: ${probes.length} packets`, () => {
    const tool = mode === 'nftables' ? 'nft' : 'iptables';
    const texts = ['v4', 'v6'].map((family) =>
      join(root, `golden/recorded/services/${scenario}/${mode}/${tool}.${family}.save`),
    );
    const dumps = texts.filter(existsSync).map((path) => ({ name: path, text: readFileSync(path, 'utf8') }));
    const node = readDumps([...dumps, { name: 'facts.json', text: JSON.stringify(facts), kind: 'facts' }], {
      name: scenario,
    });
    const tracer = createNodeTracer(node);
    let compared = 0;
    for (const [from, to, proto, outcomes] of probes) {
      const result = tracer.trace({ from, to, proto });
      if ('kind' in result) assert.fail(`${from} to ${to}/${proto}: ${result.message}`);
      const traced = traceJson(result, tracer.endpointNames(result.packet.family)) as { outcomes: Outcome[] };
      const own = new Map(traced.outcomes.map((outcome) => predicted(outcome, to, proto, listeners)));
      const recorded = new Map(outcomes.map((outcome) => [outcome.slice(0, 3).join(' '), outcome[3]]));
      const isAnyRefusal =
        own.has('refused any') && [...recorded.keys()].every((key) => /^(?:refused|timeout)/.test(key));
      if (isAnyRefusal) continue;
      assert.deepEqual([...own.keys()].sort(), [...recorded.keys()].sort(), `${from} to ${to}/${proto}`);
      compared += 1;
      for (const [key, answer] of recorded) {
        if (typeof answer === 'boolean')
          assert.equal(own.get(key), answer, `answer of ${key}, ${from} to ${to}/${proto}`);
      }
    }
    assert.ok(compared > probes.length / 2, `${compared} of ${probes.length} packets`);
  });
}

/** An outcome in the words of the recording, and whether the answer comes back. */
function predicted(
  { first: { result }, reply }: Outcome,
  to: string,
  proto: string,
  listeners: readonly string[],
): readonly [string, boolean] {
  const isAnswered = reply?.result.verdict === 'leaves' || reply?.result.verdict === 'delivered';
  const { verdict, dst, dport, src } = result;
  const at = String(dst).includes(':') ? `[${dst}]:${dport}` : `${dst}:${dport}`;
  switch (verdict) {
    case 'rejected':
      return [`refused ${result.reject === 'tcp-reset' ? 'rst' : result.reject}`, isAnswered];
    case 'leaves':
      return [`${at === to ? 'leaked' : 'arrives'} ${at} ${src}`, isAnswered];
    case 'delivered':
      if (listeners.includes(`${proto} ${at}`)) return [`arrives ${at} ${src}`, isAnswered];
      return [`refused ${closedPort(proto, at)}`, isAnswered];
    default:
      return ['timeout', false];
  }
}

/** What the kernel says where no process listens. */
function closedPort(proto: string, at: string): string {
  if (proto === 'tcp') return 'rst';
  return proto === 'udp' ? (at.startsWith('[') ? 'icmpv6 1/4' : 'icmp 3/3') : 'any';
}
