import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readDumps } from '../../src/dump/readDumps.ts';
import { shadowChecks } from '../../src/findings/checks/chains/shadowChecks.ts';
import { wholeDump } from '../../src/findings/checks/checkScope.ts';
import type { NodeRules } from '../../src/node/nodeRules.ts';
import { ruleEntrances } from '../../src/trace/known/ruleEntrances.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';
import { trailItems } from '../../src/walk/values/trail.ts';
import { whyCauses } from '../../src/why/whyCauses.ts';
import { fuzzSeed } from '../support/fuzzSeed.ts';

/**
 * Lines as kube-proxy writes them are read by their shape, others are parsed: the same rules in another spelling, which no
 * shape fits, lead every packet the same way, open the same ways into Services, and hide the same rules.
 */

const addresses = ['10.96.0.1', '10.96.0.2', '10.96.0.3', '10.96.1.9'];
const targets = [
  'KUBE-SVC-AAAAAAAAAAAAAAAA',
  'KUBE-SVC-BBBBBBBBBBBBBBBB',
  'KUBE-MARK-MASQ',
  'KUBE-EXT-CCCCCCCCCCCCCCCC',
];
const comments = [
  '',
  ' -m comment --comment "shop/web:http cluster IP"',
  ' -m comment --comment "shop/db has no endpoints"',
];

const entrance = fc.tuple(
  fc.option(fc.constantFrom(...addresses), { nil: undefined, freq: 8 }),
  fc.constantFrom('tcp', 'udp'),
  fc.constantFrom(...comments),
  fc.oneof(fc.constantFrom(80, 443, 53), fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 70_000 })),
  fc.constantFrom(...targets),
);

const line = fc.oneof(
  {
    weight: 20,
    arbitrary: entrance.map(([ip, protocol, comment, port, to]) => {
      return `${ip === undefined ? '' : ` -d ${ip}/32`} -p ${protocol}${comment} -m ${protocol} --dport ${port} -j ${to}`;
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ' -d 10.96.0.0/16 -p tcp -j KUBE-SVC-AAAAAAAAAAAAAAAA',
      ' -d 10.96.0.1/32 -p tcp -m comment --comment "shop/web:http" -m tcp --dport 80 -j REJECT --reject-with icmp-port-unreachable',
      ' -d 10.96.0.2/32 -j KUBE-SVC-BBBBBBBBBBBBBBBB',
      ' ! -s 10.244.0.0/16 -d 10.96.0.1/32 -p tcp -m tcp --dport 80 -j KUBE-MARK-MASQ',
      ' -s 10.0.0.7/32 -p udp -m udp --dport 53 -j KUBE-SVC-BBBBBBBBBBBBBBBB',
      ' -d 10.96.0.3/32 -p tcp -m tcp --dport 80:443 -j KUBE-SVC-AAAAAAAAAAAAAAAA',
      ' -p tcp -m statistic --mode random --probability 0.50000000000 -j KUBE-MARK-MASQ',
      ' -m addrtype --dst-type LOCAL -j KUBE-EXT-CCCCCCCCCCCCCCCC',
      ' -p tcp -m tcp --dport 80 -j RETURN',
    ),
  },
);

/** Asks for ports that others ask for, and does something else. */
const refusal = fc
  .tuple(fc.constantFrom(...addresses), fc.integer({ min: 1, max: 99 }))
  .map(([ip, port]) => ` -d ${ip}/32 -p tcp -m tcp --dport ${port} -j REJECT --reject-with icmp-port-unreachable`);

/** The parser understands it all the same: an address without its length, a protocol by its number. */
function respelled(rule: string): string {
  return rule.replace(/\/32 /, ' ').replace(' -p tcp ', ' -p 6 ').replace(' -p udp ', ' -p 17 ');
}

function dumpOf(rules: readonly string[]): NodeRules {
  const text = [
    '*nat',
    ':PREROUTING ACCEPT [0:0]',
    ':OUTPUT ACCEPT [0:0]',
    ':POSTROUTING ACCEPT [0:0]',
    ...[
      'KUBE-SERVICES',
      'KUBE-MARK-MASQ',
      'KUBE-SEP-AAAAAAAAAAAAAAAA',
      ...targets.filter((name) => !/MASQ/.test(name)),
    ].map((name) => `:${name} - [0:0]`),
    '-A PREROUTING -j KUBE-SERVICES',
    '-A OUTPUT -j KUBE-SERVICES',
    ...rules.map((rule) => `-A KUBE-SERVICES${rule}`),
    '-A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000',
    '-A KUBE-SVC-AAAAAAAAAAAAAAAA -j KUBE-SEP-AAAAAAAAAAAAAAAA',
    '-A KUBE-SVC-BBBBBBBBBBBBBBBB -p tcp -j DNAT --to-destination 10.244.1.2:53',
    '-A KUBE-EXT-CCCCCCCCCCCCCCCC -s 10.9.0.0/16 -j KUBE-SVC-AAAAAAAAAAAAAAAA',
    '-A KUBE-SEP-AAAAAAAAAAAAAAAA -p tcp -j DNAT --to-destination 10.244.1.1:8080',
    'COMMIT',
    '',
  ].join('\n');
  return readDumps([{ name: 'node.save', text }], { name: 'node' });
}

/** All that is said of a dump, without the texts of its lines. */
function saidOf(dump: NodeRules): unknown {
  const tracer = createNodeTracer(dump);
  const { input } = tracer.tracerOf('ipv4');
  const walks = addresses.flatMap((address) =>
    ['tcp', 'udp'].flatMap((proto) =>
      [80, 53].map((port) => {
        const question = { from: 'node', to: `${address}:${port}`, proto };
        const result = tracer.trace(question);
        if ('kind' in result) return result.message;
        const { verdict, causes } = whyCauses(result, input, tracer.known(question, result));
        const ways = result.outcomes.map(({ share, first }) => [
          share,
          first.end.kind,
          trailItems(first.flow.path).map(({ chain, rule }) => [chain.name, rule?.number, rule?.comment, rule?.line]),
        ]);
        return [verdict, causes.map(({ code }) => code), ways];
      }),
    ),
  );
  const hidden = dump.iptables.flatMap((set) =>
    [...shadowChecks(set, wholeDump)].map(({ finding: { code, service, found } }) => [code, service, found]),
  );
  const entrances = ruleEntrances(input).map(({ rule, ...own }) => [rule?.number, rule?.chain.name, own]);
  return { walks, hidden, entrances };
}

test('a rule for one port hides one that asks for more, though nobody else asks for the port alone', () => {
  const others = Array.from(
    { length: 20 },
    (_, at) => ` -d 10.97.0.${at + 1}/32 -p tcp -m tcp --dport 80 -j ${targets[1]}`,
  );
  const wide = ` -p tcp -m tcp --dport 7 -j ${targets[0]}`;
  const hidden = ' -d 10.96.0.1/32 -p tcp -m tcp --dport 7 -j REJECT --reject-with icmp-port-unreachable';
  const said = saidOf(dumpOf([...others, wide, hidden]));
  assert.deepEqual(said, saidOf(dumpOf([...others, wide, hidden].map(respelled))));
  assert.equal((said as { hidden: readonly unknown[] }).hidden.length, 1);
});

const runs = 150;

test(`the spelling of lines changes nothing (seed ${fuzzSeed})`, () => {
  let hidden = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 9, arbitrary: line }, refusal), { minLength: 20, maxLength: 70 }),
      (rules) => {
        const said = saidOf(dumpOf(rules));
        hidden += (said as { hidden: readonly unknown[] }).hidden.length > 0 ? 1 : 0;
        assert.deepEqual(said, saidOf(dumpOf(rules.map(respelled))));
      },
    ),
    { seed: fuzzSeed, numRuns: runs },
  );
  assert.ok(hidden > runs / 10 && hidden < runs, `${hidden} dumps hide rules`);
});
