import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { behaviourJson } from '../../src/behaviour/behaviourJson.ts';
import { compareBehaviour } from '../../src/behaviour/compareBehaviour.ts';
import { endpointKinds } from '../../src/behaviour/shape/endpointKinds.ts';
import { asWritten } from '../support/asWritten.ts';
import { balancingRules, endpointRules, savedServices } from './savedServices.ts';
import { twoSides } from './sides.ts';

/** Nine endpoints, some in a network that nothing of the node's own reaches. */
const endpoints = Array.from({ length: 9 }, (_, at) => `10.244.${1 + (at % 2)}.${10 + at}`);
const service = 'KUBE-SVC-AAAAAAAAAAAAAAAA';

/** One Service as iptables mode writes it, and as nftables mode does since 1.36: a map of all endpoints. */
const iptables = savedServices(
  [service, ...endpoints.map((_, at) => chainOf(at))],
  [
    `-A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m tcp --dport 80 -j ${service}`,
    ...balancingRules(
      service,
      endpoints.map((_, at) => chainOf(at)),
    ),
    ...endpoints.flatMap((ip, at) => endpointRules(chainOf(at), ip)),
  ],
);

function chainOf(at: number): string {
  return `KUBE-SEP-${'B'.repeat(15)}${'ABCDEFGHI'[at]}`;
}

const elements = endpoints.map((ip, at) => `${at} : ${ip} . 8080`);
const drawn = `numgen random mod 9 map { ${elements.join(', ')} }`;
/** The one that masquerades its own packets is among those that the set names. */
const nftables = (map: string, hairpins: readonly string[] = endpoints) => `table ip kube-proxy {
	set hairpins {
		type ipv4_addr . ipv4_addr
		elements = { ${hairpins.map((ip) => `${ip} . ${ip}`).join(', ')} }
	}
	chain nat-prerouting {
		type nat hook prerouting priority dstnat; policy accept;
		ip daddr 10.96.0.1 tcp dport 80 goto service-AAAAAAAA-default/web/tcp/
	}
	chain nat-output {
		type nat hook output priority dstnat; policy accept;
		ip daddr 10.96.0.1 tcp dport 80 goto service-AAAAAAAA-default/web/tcp/
	}
	chain nat-postrouting {
		type nat hook postrouting priority srcnat; policy accept;
		ip saddr . ip daddr @hairpins masquerade
	}
	chain service-AAAAAAAA-default/web/tcp/ {
		meta l4proto tcp dnat ip to ${map}
	}
}
`;

function compared(other: string, walksAll: boolean) {
  const sides = twoSides([{ name: 'a.save', text: iptables }], [{ name: 'b.nft', text: other }]);
  const { findings, open, classes, ...rest } = compareBehaviour(...sides, { walksAll });
  const { findings: told } = asWritten(behaviourJson({ a: 'a', b: 'b' }, { ...rest, findings, open, classes })) as {
    findings: readonly object[];
  };
  return { told, open: open.length, classes };
}

/** The Service's own rules refuse some senders. */
const refusing = (rule: string) => nftables(drawn).replace('meta l4proto', `${rule} drop\n\t\tmeta l4proto`);
/** Rules of another program refuse some senders. */
const beside = (rule: string, set = '') => `${nftables(drawn)}table ip other {
	${set}
	chain forward {
		type filter hook forward priority filter; policy accept;
		${rule}
	}
}
`;
const blocked = (type: string, ...all: readonly string[]) => `set blocked {
		type ${type}
		${type.includes('.') ? '' : 'flags interval'}
		elements = { ${all.join(', ')} }
	}`;

const edits: readonly (readonly [string, string, boolean])[] = [
  ['nothing', nftables(drawn), false],
  ['another order', nftables(drawn.replace('0 : ', 'x : ').replace('8 : ', '0 : ').replace('x : ', '8 : ')), false],
  ['another port of one', nftables(drawn.replace('10.244.2.13 . 8080', '10.244.2.13 . 8081')), true],
  ['one twice in place of another', nftables(drawn.replace('10.244.2.13', '10.244.1.14')), true],
  [
    'one three times',
    nftables(drawn.replace('10.244.2.13', '10.244.1.14').replace('10.244.1.12', '10.244.1.14')),
    true,
  ],
  ['one of two numbers', nftables(drawn.replace('3 : ', '3-4 : ').replace(/, 4 : [^,]*/, '')), true],
  ['one without masquerading', nftables(drawn, endpoints.slice(1)), true],
  ['a network is refused', refusing('ip saddr 10.244.2.0/24'), true],
  ['some of a network are refused', refusing('ip saddr 10.244.2.14-10.244.2.15'), true],
  ['one is refused', refusing('ip saddr 10.244.2.13'), true],
  ['all but a few are refused', refusing('ip saddr != { 10.244.2.8/29, 10.244.1.18 }'), true],
  ['another program refuses a network', beside('ip saddr 10.244.2.0/24 drop'), true],
  ['another program refuses one', beside('ip saddr 10.244.2.13 drop'), true],
  ['another program refuses two in a set', beside('ip saddr { 10.244.2.13, 10.244.1.14 } drop'), true],
  ['a set of one', beside('ip saddr @blocked drop', blocked('ipv4_addr', '10.244.1.14')), true],
  ['a set of networks', beside('ip saddr @blocked drop', blocked('ipv4_addr', '10.244.2.12/30')), true],
  [
    'a set of senders and ports',
    beside('ip saddr . tcp dport @blocked drop', blocked('ipv4_addr . inet_service', '10.244.1.14 . 8080')),
    true,
  ],
  ['a map of verdicts', beside('ip saddr vmap { 10.244.1.14 : drop }'), true],
  ['drawn by the address of the sender', nftables(drawn.replace('numgen random', 'jhash ip saddr')), false],
];

describe('endpoints that are walked for each other', () => {
  for (const [name, other, differs] of edits) {
    it(`are told as if each was walked: ${name}`, () => {
      const shared = compared(other, false);
      assert.equal(shared.told.length + shared.open > 0, differs);
      assert.deepEqual(shared, compared(other, true));
    });
  }
});

/** Services with one endpoint each; their own rules refuse some senders. */
function refusingServices(refused: string, ...all: readonly string[]): string {
  const nameOf = (at: number) => `service-${'ABCD'[at]?.repeat(8)}-default/web${at}/tcp/`;
  const jumps = all.map((_, at) => `ip daddr 10.96.0.${at + 1} tcp dport 80 goto ${nameOf(at)}`).join('\n\t\t');
  const chains = all.map(
    (ip, at) => `chain ${nameOf(at)} {
		${refused}
		meta l4proto tcp dnat ip to ${ip}:8080
	}`,
  );
  return `table ip kube-proxy {
	chain nat-prerouting {
		type nat hook prerouting priority dstnat; policy accept;
		${jumps}
	}
	${chains.join('\n\t')}
}
`;
}

describe('Services that are walked for each other', () => {
  for (const refused of [
    'ip saddr 10.244.1.0/29 drop',
    'ip saddr 10.244.1.1-10.244.1.7 drop',
    'ip saddr & 255.255.255.248 == 10.244.1.0 drop',
    'ip saddr < 10.244.1.8 drop',
  ]) {
    for (const ips of [
      ['10.244.1.3', '10.244.1.12'],
      ['10.244.1.12', '10.244.1.3'],
    ]) {
      it(`differ where their own rules tell their endpoints apart: ${refused} ${ips.join(', ')}`, () => {
        const [a, b] = ['', refused].map((rule) => [{ name: 'a.nft', text: refusingServices(rule, ...ips) }]) as [
          { name: string; text: string }[],
          { name: string; text: string }[],
        ];
        const [shared, each] = [false, true].map((walksAll) =>
          compareBehaviour(...twoSides(a, b), { walksAll }).findings.map(({ entrance, sources, destination }) => [
            entrance,
            destination.address,
            sources,
          ]),
        );
        const ofEndpoints = each?.filter(([entrance]) => `${entrance}`.endsWith('endpoint')) ?? [];
        assert.equal(ofEndpoints.length, 1);
        assert.deepEqual(shared, each);
      });
    }
  }
});

describe('the kinds of endpoints', () => {
  const kindsOf = (rules: string, ...classes: readonly number[]) => [
    ...endpointKinds([rules], new Map(classes.map((own, at) => [at, String(own)]))).values(),
  ];
  const same = ([one, other]: readonly string[]) => one === other;
  const map = (how: string, ...all: readonly string[]) => `dnat ip to ${how} map { ${all.join(', ')} }`;

  /** A chain for each endpoint, as affinity in nftables mode has it: what a rule looks up and notes has braces. */
  const looksUp = (...ends: readonly string[]) =>
    `goto {${ends.map((end, at) => `lookup {"field"} $L${at};goto {source $E${at};update {"field"}\n${end}}`).join('\n')}}`;

  const cases: readonly (readonly [string, boolean, string, readonly number[]])[] = [
    ['a number each', true, map('numgen random mod 2', '0 : $E0 . 80', '1 : $E1 . 80'), [3, 3]],
    ['in different networks', false, map('numgen random mod 2', '0 : $E0 . 80', '1 : $E1 . 80'), [3, 4]],
    ['other ports', false, map('numgen random mod 2', '0 : $E0 . 80', '1 : $E1 . 81'), [3, 3]],
    ['one at two numbers', false, map('numgen random mod 3', '0 : $E0 . 80', '1 : $E1 . 80', '2 : $E1 . 80'), [3, 3]],
    ['one at a range', false, map('numgen random mod 3', '0 : $E0 . 80', '1-2 : $E1 . 80'), [3, 3]],
    ['drawn by a hash', false, map('jhash ip saddr mod 2', '0 : $E0 . 80', '1 : $E1 . 80'), [3, 3]],
    ['in turn', false, map('numgen inc mod 2', '0 : $E0 . 80', '1 : $E1 . 80'), [3, 3]],
    ['a map of ports', false, 'dnat ip to tcp dport map { 0 : $E0 . 80, 1 : $E1 . 80 }', [3, 3]],
    ['one is marked', false, '{-s $E0 jump MARK\nto $E0:80}\n{to $E1:80}', [3, 3]],
    ['both are marked', true, '{-s $E0 jump MARK\nto $E0:80}\n{-s $E1 jump MARK\nto $E1:80}', [3, 3]],
    ['one is led to twice', false, 'jump {jump {to $E0:80}\njump {to $E1:80}}\njump {0.5 jump #1}', [3, 3]],
    [
      'one is led to twice, by a map',
      false,
      'jump {vmap { 0 : goto {to $E0:80}, 1 : goto {to $E1:80} }}\njump {vmap { 0 : goto #2 }}',
      [3, 3],
    ],
    ['both are', true, 'jump {0.5 jump {to $E0:80}\njump {to $E1:80}}\njump {0.5 jump #1\njump #2}', [3, 3]],
    ['each in a map of its own', false, 'goto {map { 0 : $E0 }\ngoto {map { 0 : $E1 }}}', [3, 3]],
    ['each behind a chain of its own', false, 'jump {jump {jump {to $E0:80}}\njump {jump {to $E1:80}}}', [3, 3]],
    ['one gets more packets', false, 'jump {0.90000000000 jump {to $E0:80}\njump {to $E1:80}}', [3, 3]],
    ['one gets no packets', false, 'jump {jump {to $E0:80}\n0.50000000000 jump {to $E1:80}}', [3, 3]],
    ['both get as many', true, 'jump {0.50000000000 jump {to $E0:80}\njump {to $E1:80}}', [3, 3]],
    [
      'both get as many, but who is known',
      true,
      'jump {recent $L0 rcheck;jump {to $E0:80}\nrecent $L1 rcheck;jump {to $E1:80}\nchance 0.5;jump #1\njump #2}',
      [3, 3],
    ],
    [
      'one gets more packets, but of those who are known',
      false,
      'jump {recent $L0 rcheck;jump {to $E0:80}\nrecent $L1 rcheck;jump {to $E1:80}\nchance 0.9;jump #1\njump #2}',
      [3, 3],
    ],
    ['each is looked up', true, looksUp('to $E0:80', 'to $E1:80'), [3, 3]],
    ['one is led to by a third, behind what is looked up', false, looksUp('', 'to $E1:80', 'to $E0:80'), [3, 3, 3]],
    ['one sends to the other', false, '{-s $E0 to $E1:80}\n{-s $E1 to $E1:80}', [3, 3]],
  ];
  it('each on a side of its own', () => {
    const sides = ['dnat to $E0:80', 'dnat to $E1:80'];
    assert.ok(
      !same([
        ...endpointKinds(
          sides,
          new Map([
            [1, '3'],
            [2, '3'],
          ]),
        ).values(),
      ]),
    );
  });

  for (const [name, isSame, rules, classes] of cases) {
    it(name, () => assert.equal(same(kindsOf(rules, ...classes)), isSame));
  }
});
