import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareBehaviour } from '../../src/behaviour/compareBehaviour.ts';
import { treatsAlike } from '../../src/behaviour/shape/treatsAlike.ts';
import { balancingRules, endpointRules, savedServices } from './savedServices.ts';
import { twoSides } from './sides.ts';

/** Endpoints in 10.244.2.0/24 get nothing, on either side. */
const far = ['10.244.2.1', '10.244.2.2', '10.244.2.3', '10.244.2.4'];
const near = ['10.244.1.1', '10.244.1.2', '10.244.1.3', '10.244.1.4', '10.244.1.5', '10.244.1.6', '10.244.1.7'];

/** Services whose endpoints stand in all orders of near and far. */
const ordered = [
  [near[0], near[1], far[0]],
  [near[2], far[1], near[3]],
  [far[2], near[4], near[5]],
  [near[6], far[3]],
] as readonly (readonly string[])[];

function save(edit: (line: string) => string = (line) => line): string {
  const chains: string[] = [];
  const rules: string[] = [];
  for (const [at, endpoints] of ordered.entries()) {
    const service = `KUBE-SVC-${'ABCD'[at]?.repeat(16)}`;
    const own = endpoints.map((_, nth) => `KUBE-SEP-${'ABCD'[at]?.repeat(15)}${'EFG'[nth]}`);
    chains.push(service, ...own);
    rules.push(
      `-A KUBE-SERVICES -d 10.96.0.${at + 1}/32 -p tcp -m tcp --dport 80 -j ${service}`,
      ...balancingRules(service, own),
      ...endpoints.flatMap((ip, nth) => endpointRules(own[nth] as string, ip)),
    );
  }
  return savedServices(chains, rules.map(edit), ['-A FORWARD -d 10.244.2.0/24 -j DROP']);
}

function compared(other: string, walksAll: boolean) {
  // A rule for all packets that changes nothing: else nothing is walked where the rules are the same.
  const [a, b] = [save(), other.replace('COMMIT', '-A FORWARD -j ACCEPT\nCOMMIT')].map((text, at) => [
    { name: `${at}.save`, text },
  ]) as [{ name: string; text: string }[], { name: string; text: string }[]];
  const { findings, open, classes } = compareBehaviour(...twoSides(a, b), { walksAll });
  const told = findings.map(({ entrance, packet, a: one, b: two }) =>
    [entrance, packet.source, packet.destination, ...one.outcomes.keys(), '|', ...two.outcomes.keys()].join(' '),
  );
  return { told, open: open.length, classes };
}

describe('Services whose endpoints stand in different orders', () => {
  it('are the same, in as many classes, as if each was walked', () => {
    const shared = compared(save(), false);
    assert.deepEqual(shared.told, []);
    assert.ok(shared.classes > 0);
    assert.deepEqual(shared, compared(save(), true));
  });

  it('hide no endpoint that one side treats otherwise', () => {
    let count = 0;
    for (const endpoint of ordered.flat()) {
      const other = save((line) =>
        line.includes(`-s ${endpoint}/32`) ? line.replace('MARK-MASQ', 'POSTROUTING') : line,
      );
      const shared = compared(other, false);
      assert.deepEqual(shared, compared(other, true), endpoint);
      count += shared.told.length;
    }
    assert.ok(count > 0);
  });

  it('are asked one by one where both sides drop them for another reason', () => {
    const other = save().replace('-d 10.244.2.0/24 -j DROP', '-d 10.244.2.0/24 -j REJECT');
    const shared = compared(other, false);
    assert.ok(shared.told.length > 0);
    assert.deepEqual(shared, compared(other, true));
  });
});

describe('the text of rules in which endpoints are alike', () => {
  const text = (...chains: string[]) => `jump {${chains.join('\n')}}`;
  const usual = text('0.5 jump {-s $E0 jump MARK\nto $E0:80}', 'jump {-s $E1 jump MARK\nto $E1:80}');
  const cases: readonly (readonly [string, readonly string[], number, boolean])[] = [
    ['a chain each', [usual, usual], 2, true],
    ['of one side only', [usual], 2, true],
    ['the sides differ', [usual, usual.replace('0.5', '0.4')], 2, false],
    ['one gets more packets', [usual.replace('0.5', '0.9'), usual.replace('0.5', '0.9')], 2, false],
    ['one has another port', [usual.replace('$E1:80', '$E1:81')], 2, false],
    ['one is not marked', [usual.replace('-s $E1 jump MARK\n', '')], 2, false],
    ['one is asked outside of its chain', [usual.replace('jump {', '-s $E0 jump MARK\njump {')], 2, false],
    ['one is asked in the chain of another', [usual.replace('-s $E1', '-s $E0')], 2, false],
    ['one has no chain', [usual], 3, false],
    ['there is one alone', [text('jump {to $E0:80}')], 1, false],
    ['more than ten', [text(...Array.from({ length: 12 }, (_, at) => `jump {to $E${at}:80}`))], 12, true],
  ];
  for (const [name, sides, endpoints, isAlike] of cases) {
    it(name, () => assert.equal(treatsAlike(sides, endpoints), isAlike));
  }
});
