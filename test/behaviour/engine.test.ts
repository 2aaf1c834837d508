import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { BehaviourFinding } from '../../src/behaviour/behaviourFinding.ts';
import { behaviourJson } from '../../src/behaviour/behaviourJson.ts';
import { compareBehaviour } from '../../src/behaviour/compareBehaviour.ts';
import { compareDistributions } from '../../src/behaviour/outcome/compareDistributions.ts';
import { distributionOf } from '../../src/behaviour/outcome/distribution.ts';
import type { ValueSet } from '../../src/common/ranges/valueSet.ts';
import { generator } from '../../src/trace/countTraces.ts';
import { noConditions } from '../../src/trace/known/noConditions.ts';
import { asWritten } from '../support/asWritten.ts';
import { recordedFiles, services, twoSides } from './sides.ts';

const iptables = (scenario: string) => recordedFiles(scenario, 'iptables', ['iptables.v4.save', 'iptables.v6.save']);
const nftables = (scenario: string) => recordedFiles(scenario, 'nftables', ['nft.v4.save', 'nft.v6.save']);
const ipvs = (scenario: string) =>
  recordedFiles(
    scenario,
    'ipvs',
    ['v4', 'v6'].flatMap((family) => [
      `iptables.${family}.save`,
      `ipset.${family}.save`,
      `ipvsadm.${family}.save`,
      `addresses.${family}`,
    ]),
  );

describe('one destination that stands for others of its shape', () => {
  for (const scenario of ['affinity-clientip', 'lb-source-ranges', 'mixed-random-dual', 'clusterip-endpoint-counts']) {
    for (const [mode, other] of [
      ['nftables', nftables],
      ['ipvs', ipvs],
    ] as const) {
      it(`gives what walking each gives: ${scenario}, iptables against ${mode}`, () => {
        const sides = twoSides(iptables(scenario), other(scenario));
        const shared = compareBehaviour(...sides);
        const each = compareBehaviour(...sides, { walksAll: true });
        const told = ({ findings }: typeof shared) =>
          (asWritten(behaviourJson({ a: 'a', b: 'b' }, { ...shared, findings })) as Told).findings;
        assert.equal(shared.classes > 0, true);
        assert.deepEqual(told(shared).map(withoutSources), told(each).map(withoutSources));
      });
    }
  }
});

describe('an endpoint whose interface a rule names', () => {
  it('is no stand-in for others, and no other for it', () => {
    const { facts } = JSON.parse(
      readFileSync(join(services, '../mode-outcomes/affinity-lb-nodeport.json'), 'utf8'),
    ) as { facts: object };
    const files = iptables('affinity-lb-nodeport');
    for (const device of ['veth1', 'veth2']) {
      const rule = `-A FORWARD -o ${device} -j DROP\n`;
      const others = files.map((file) => ({
        ...file,
        text: file.text.replace(/(\*filter\n[\s\S]*?)COMMIT/, (_, table: string) => `${table}${rule}COMMIT`),
      }));
      const sides = twoSides(files, others, [facts, facts]);
      const shared = compareBehaviour(...sides).findings.map(findingKey);
      assert.ok(shared.length > 0);
      assert.deepEqual(shared, compareBehaviour(...sides, { walksAll: true }).findings.map(findingKey));
    }
  });
});

function findingKey({ entrance, packet, a, b }: BehaviourFinding): string {
  const words = [a, b].map(({ outcomes }) => [...outcomes.keys()].sort().join());
  return [entrance, packet.source, packet.destination, packet.destinationPort, packet.protocol, ...words].join(' ');
}

interface Told {
  readonly findings: readonly object[];
}

/** Which senders fare alike is told with the borders that the rules of the first one drew. */
function withoutSources(finding: object): object {
  const { sources: _, ...rest } = finding as { sources?: unknown };
  return rest;
}

describe('a class of packets', () => {
  it('fares as each of its packets does', () => {
    const random = generator(7);
    let sampled = 0;
    for (const scenario of [
      'lb-source-ranges',
      'affinity-lb-nodeport',
      'externalip-etp-local',
      'noendpoints-all-types',
    ]) {
      const [a, b] = twoSides(iptables(scenario), nftables(scenario));
      for (const { packet, sources, entrance, a: first, b: second } of compareBehaviour(a, b).findings) {
        if (entrance === 'node' || sources.length === 0) continue;
        for (const [side, expected] of [0, 1, 2].flatMap(
          () =>
            [
              [a, first],
              [b, second],
            ] as const,
        )) {
          const source = drawn(sources, random());
          const context = side.tracer.tracerOf(packet.family).context(noConditions);
          const own = distributionOf({ ...packet, source }, context);
          const words = (one: typeof own) => [...one.outcomes.values()].map(({ outcome }) => outcome.kind).sort();
          assert.deepEqual(words(own), words(expected), `${scenario} ${source}`);
          sampled += 1;
        }
      }
    }
    assert.ok(sampled > 40, `${sampled} packets`);
  });
});

function drawn(set: ValueSet, point: number): number | bigint {
  const range = set[Math.floor(point * set.length)] ?? set[0];
  if (range === undefined) return 0;
  if (typeof range.first === 'bigint') {
    return range.first + BigInt(Math.floor(point * Number(BigInt(range.last) - range.first)));
  }
  return range.first + Math.floor(point * (Number(range.last) - range.first));
}

describe('what nobody can judge', () => {
  const rules = (match: string) => [
    {
      name: 'iptables.v4.save',
      text: `*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\n-A FORWARD -d 203.0.113.80/32 ${match} -j DROP\nCOMMIT\n`,
    },
  ];

  it('is never the same, and never different', () => {
    const { findings, open, unknown } = compareBehaviour(
      ...twoSides(rules('-m bpf --bytecode "1,6 0 0 1"'), rules('-m bpf --bytecode "1,6 0 0 1"')),
    );
    assert.equal(findings.length, 0);
    assert.ok(open.length > 0);
    assert.match(unknown[0]?.text ?? '', /bpf/);
  });

  it('is different where no way of the two is the same', () => {
    const refusing = rules('-p tcp').map((file) => ({ ...file, text: file.text.replace('-j DROP', '-j REJECT') }));
    const { findings } = compareBehaviour(...twoSides(rules('-p tcp'), refusing));
    assert.ok(findings.length > 0);
  });
});

describe('source ports that rules tell apart', () => {
  const rules = (more: string) => [
    {
      name: 'iptables.v4.save',
      text: `*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\n-A FORWARD -d 203.0.113.80/32 -p tcp -m tcp --dport 80 -j ACCEPT\n${more}COMMIT\n`,
    },
  ];

  it('are packets of their own', () => {
    const { findings } = compareBehaviour(
      ...twoSides(rules(''), rules('-A FORWARD -p udp -m udp --sport 5000:5010 -j DROP\n')),
    );
    assert.ok(findings.length > 0);
    for (const { packet, a, b } of findings) {
      assert.equal(packet.protocol, 17);
      assert.ok(packet.sourcePort !== undefined && packet.sourcePort >= 5000 && packet.sourcePort <= 5010);
      assert.deepEqual(
        [a, b].map(({ outcomes }) => [...outcomes.values()].map(({ outcome, share }) => `${outcome.kind} ${share}`)),
        [['leaves 1'], ['dropped 1']],
      );
    }
  });

  it('are not asked where both sides do the same with them', () => {
    const both = rules('-A FORWARD -p udp -m udp --sport 5000:5010 -j DROP\n');
    assert.deepEqual(compareBehaviour(...twoSides(both, both)).findings, []);
  });
});

describe('shares', () => {
  const rules = (probability: string) => [
    {
      name: 'iptables.v4.save',
      text: `*nat\n:PREROUTING ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\n:POSTROUTING ACCEPT [0:0]\n-A PREROUTING -d 10.96.0.1/32 -p tcp -m tcp --dport 80 -m statistic --mode random --probability ${probability} -j DNAT --to-destination 10.244.0.1:80\n-A PREROUTING -d 10.96.0.1/32 -p tcp -m tcp --dport 80 -j DNAT --to-destination 10.244.0.2:80\nCOMMIT\n`,
    },
  ];

  it('of old and new spellings are the same, others are not', () => {
    const differs = (a: string, b: string, tolerance?: number) =>
      compareBehaviour(...twoSides(rules(a), rules(b)), tolerance === undefined ? {} : { tolerance }).findings.length >
      0;
    assert.equal(differs('0.33332999982', '0.33333333349'), false);
    assert.equal(differs('0.33333333349', '0.34000000000'), true);
    assert.equal(differs('0.33333333349', '0.34000000000', 0.05), false);
  });

  it('compare as numbers', () => {
    const [side] = twoSides(rules('0.50000000000'), rules('0.5'));
    const context = side.tracer.tracerOf('ipv4').context(noConditions);
    const packet = {
      family: 'ipv4',
      protocol: 6,
      source: 0x0a000001,
      sourcePort: undefined,
      destination: 0x0a600001,
      destinationPort: 80,
      origin: 'forwarded',
      inInterface: 'eth0',
      inPort: undefined,
      flags: undefined,
      state: undefined,
      mark: 0,
    } as const;
    const one = distributionOf(packet, context);
    assert.equal(compareDistributions(one, one, 0), 'same');
    assert.deepEqual(
      [...one.outcomes.values()].map(({ share }) => share),
      [0.5, 0.5],
    );
  });
});
