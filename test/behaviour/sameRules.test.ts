import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BehaviourSide } from '../../src/behaviour/behaviourSide.ts';
import { compareBehaviour } from '../../src/behaviour/compareBehaviour.ts';
import { comparedPair } from '../../src/behaviour/comparedPair.ts';
import { sameRules } from '../../src/behaviour/shape/sameRules.ts';
import { endText } from '../../src/walk/values/text.ts';
import { mutations } from '../diff/mutations/mutations.ts';
import { drawn } from '../support/drawn.ts';
import { balancingRules, endpointRules, savedServices } from './savedServices.ts';
import { recordedFiles, twoSides } from './sides.ts';

const services = ['A', 'B', 'C'].map((letter, at) => ({
  chain: `KUBE-SVC-${letter.repeat(16)}`,
  address: `10.96.0.${at + 1}`,
  endpoints: [10, 11].map((host) => ({
    chain: `KUBE-SEP-${letter.repeat(15)}${host === 10 ? 'X' : 'Y'}`,
    ip: `10.244.${at + 1}.${host}`,
  })),
}));

function save(forward: readonly string[] = []): string {
  return savedServices(
    services.flatMap(({ chain, endpoints }) => [chain, ...endpoints.map((one) => one.chain)]),
    services.flatMap(({ chain, address, endpoints }) => [
      `-A KUBE-SERVICES -d ${address}/32 -p tcp -m tcp --dport 80 -j ${chain}`,
      ...balancingRules(
        chain,
        endpoints.map((one) => one.chain),
      ),
      ...endpoints.flatMap((one) => endpointRules(one.chain, one.ip)),
    ]),
    forward,
  );
}

/** The destinations that must be walked; `all`: nothing is known to be the same. */
function walked(a: string, b: string, more: readonly { readonly name: string; readonly text: string }[] = []) {
  const sides = twoSides([{ name: 'a.save', text: a }], [{ name: 'b.save', text: b }, ...more]);
  return walkedOf(sides, 'ipv4');
}

function walkedOf([a, b]: readonly [BehaviourSide, BehaviourSide], family: 'ipv4' | 'ipv6') {
  const pair = comparedPair(a, b).familyOf(family);
  assert.ok(typeof pair === 'object');
  const isSame = sameRules(pair);
  const all = pair.destinations.map((one) => ({ one, isSame: isSame(one) }));
  if (all.every((one) => !one.isSame)) return 'all';
  return all
    .filter((one) => !one.isSame)
    .map(({ one }) => endText(one.address, one.use === 'port' ? one.protocolPorts[0]?.port : undefined))
    .sort();
}

const [first] = services;
const endpoint = first?.endpoints[0];
assert.ok(first !== undefined && endpoint !== undefined);

describe('destinations with the same rules on both sides', () => {
  it('are all, if the rules are', () => {
    assert.deepEqual(walked(save(), save()), []);
    const { findings, open, classes, destinations } = compareBehaviour(
      ...twoSides([{ name: 'a.save', text: save() }], [{ name: 'b.save', text: save() }]),
    );
    assert.deepEqual([findings.length, open.length], [0, 0]);
    assert.ok(destinations > 3);
    assert.equal(classes, destinations);
  });

  const own = [first.address, `${first.address}:80`];
  const cases: readonly (readonly [string, string, readonly string[] | 'all'])[] = [
    ['a rule of one Service lost', save().replace(/-A KUBE-SERVICES -d 10\.96\.0\.1\/32.*\n/, ''), own],
    ['a chain of one endpoint edited', save().replace(`${endpoint.ip}:8080`, `${endpoint.ip}:8081`), own],
    ['a chain of one endpoint empty', save().replaceAll(new RegExp(`-A ${endpoint.chain} .*\n`, 'g'), ''), own],
    ['a rule for all lost', save().replace(/-A POSTROUTING.*\n/, ''), 'all'],
    [
      'a rule for all in another place',
      save().replace(/(-A KUBE-MARK-MASQ.*\n)/, '$1-A KUBE-MARK-MASQ -j RETURN\n'),
      'all',
    ],
    ['another policy', save().replace(':FORWARD ACCEPT', ':FORWARD DROP'), 'all'],
    ['packets to an endpoint dropped', save([`-A FORWARD -d ${endpoint.ip}/32 -j DROP`]), [...own, endpoint.ip].sort()],
    ['packets of an endpoint dropped', save([`-A FORWARD -s ${endpoint.ip}/32 -j DROP`]), 'all'],
    ['packets to a network dropped', save(['-A FORWARD -d 10.244.1.0/24 -j DROP']), 'all'],
    ['packets to all but one dropped', save([`-A FORWARD ! -d ${endpoint.ip}/32 -j DROP`]), 'all'],
    ['no table filter', save().replace(/\*filter[\s\S]*?COMMIT\n/, ''), 'all'],
    ['an empty chain more', save().replace('COMMIT', ':KUBE-KUBELET-CANARY - [0:0]\nCOMMIT'), []],
  ];
  for (const [name, other, expected] of cases) {
    it(name, () => {
      for (const found of [walked(save(), other), walked(other, save())]) {
        assert.deepEqual(found, expected);
      }
    });
  }

  it('are none where a rule asks for what nobody knows', () => {
    const rules = [
      '-A FORWARD -m set --match-set unseen src -j DROP',
      '-A FORWARD -m bpf --bytecode "1,6 0 0 1" -j DROP',
      '-A FORWARD -m time --timestart 10:00 -j DROP',
      '-A FORWARD -m dscp --dscp 0x01 -j DROP',
    ];
    for (const rule of rules) assert.equal(walked(save([rule]), save([rule])), 'all', rule);
  });

  it('are none that such a rule of the Service itself stands before', () => {
    for (const match of ['-m set --match-set unseen src', '-m bpf --bytecode "1,6 0 0 1"']) {
      const asking: string = save().replace(`-A ${endpoint.chain} `, `-A ${endpoint.chain} ${match} -j DROP\n$&`);
      assert.deepEqual(walked(asking, asking), own, match);
    }
  });

  it('are none if one side alone has rules of nft or members of a set, or hides rules', () => {
    const nft =
      'table ip other {\n\tchain forward {\n\t\ttype filter hook forward priority filter; policy drop;\n\t}\n}\n';
    assert.equal(walked(save(), save(), [{ name: 'nft.txt', text: nft }]), 'all');
    const asking = '-A FORWARD -m set --match-set seen src -j DROP';
    const sets = (member: string) => [
      { name: 'ipset.save', text: `create seen hash:ip family inet\nadd seen ${member}\n` },
    ];
    const compared = (one: string, other: string) =>
      walkedOf(
        twoSides(
          [{ name: 'a.save', text: save([asking]) }, ...sets(one)],
          [{ name: 'b.save', text: save([asking]) }, ...sets(other)],
        ),
        'ipv4',
      );
    assert.deepEqual(compared('10.0.0.1', '10.0.0.1'), []);
    assert.equal(compared('10.0.0.1', '10.0.0.2'), 'all');
    const part = save().split('*nat')[1]?.replace('COMMIT\n', '') ?? '';
    assert.equal(walked(`*nat${part}`, `*nat${part}`), 'all');
  });
});

describe('destinations where planted faults show', () => {
  // To walk everything takes as long for the first as for all others together: it gets every fourth fault.
  const scenarios = {
    'mixed-random-dual': 4,
    'affinity-lb-nodeport': 1,
    'lb-etp-local-source-ranges': 1,
    'realistic-kube-system': 1,
  };
  for (const [scenario, step] of Object.entries(scenarios)) {
    it(`are walked, and others are not: ${scenario}`, () => {
      const [file] = recordedFiles(scenario, 'iptables', ['iptables.v4.save']);
      assert.ok(file !== undefined);
      let spared = 0;
      for (const { name, apply } of drawn(mutations.filter((_, at) => at % step === 0))) {
        const lines = apply(file.text.split('\n'));
        if (lines === undefined) continue;
        const sides = twoSides([file], [{ ...file, text: lines.join('\n') }]);
        const pair = comparedPair(...sides).familyOf('ipv4');
        if (typeof pair !== 'object') continue;
        const isSame = sameRules(pair);
        // Where a fault is in rules for all packets, nothing is said to be the same.
        if (!pair.destinations.some(isSame)) continue;
        const { findings, open } = compareBehaviour(...sides, { walksAll: true });
        for (const { destination } of [...findings, ...open])
          assert.ok(
            !isSame(destination),
            `${name}: ${endText(destination.address, destination.protocolPorts[0]?.port)}`,
          );
        if (findings.length > 0) spared += 1;
      }
      assert.ok(spared > 3 / step, `${spared} faults of single Services`);
    });
  }

  it('are all of nftables and IPVS mode, if anything differs', () => {
    const nft = recordedFiles('affinity-lb-nodeport', 'nftables', ['nft.v4.save']);
    const edited = nft.map((file) => ({ ...file, text: file.text.replace(/^.*masquerade.*$/m, '') }));
    assert.deepEqual(walkedOf(twoSides(nft, nft), 'ipv4'), []);
    assert.equal(walkedOf(twoSides(nft, edited), 'ipv4'), 'all');
    const ipvs = recordedFiles(
      'affinity-lb-nodeport',
      'ipvs',
      ['iptables', 'ipset', 'ipvsadm'].map((tool) => `${tool}.v4.save`).concat('addresses.v4'),
    );
    const lost = ipvs.map((file) => ({ ...file, text: file.text.replace(/^-a .*\n/m, '') }));
    assert.deepEqual(walkedOf(twoSides(ipvs, ipvs), 'ipv4'), []);
    assert.equal(walkedOf(twoSides(ipvs, lost), 'ipv4'), 'all');
  });
});
