import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { staleChainsOf, usesOfNoRules } from '../../src/node/chains/chainUses.ts';
import type { RuleTable } from '../../src/node/nodeRules.ts';

const rules = [
  '-A PREROUTING -j KUBE-SERVICES',
  '-A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m tcp --dport 80 -j KUBE-SVC-A',
  '-A KUBE-SERVICES -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS',
  '-A KUBE-SVC-A ! -s 10.244.0.0/16 -d 10.96.0.1/32 -j KUBE-MARK-MASQ',
  '-A KUBE-SVC-A -m statistic --mode random --probability 0.50000000000 -j KUBE-SEP-A',
  '-A KUBE-SVC-A -j KUBE-SEP-B',
  '-A KUBE-SEP-A -s 10.244.0.1/32 -j KUBE-MARK-MASQ',
  '-A KUBE-SEP-A -p tcp -m tcp -j DNAT --to-destination 10.244.0.1:80',
  '-A KUBE-SEP-B -p tcp -m tcp -j DNAT --to-destination 10.244.0.2:80',
  '-A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000',
];

/** A table nat with these rules, in which every chain is declared but `missing`. */
function nat(lines: readonly string[], missing: readonly string[] = []): RuleTable {
  const names = ['KUBE-SERVICES', 'KUBE-NODEPORTS', 'KUBE-SVC-A', 'KUBE-SEP-A', 'KUBE-SEP-B', 'KUBE-MARK-MASQ'];
  const declared = names.filter((name) => !missing.includes(name)).map((name) => `:${name} - [0:0]`);
  const text = ['*nat', ':PREROUTING ACCEPT [0:0]', ...declared, ...lines, 'COMMIT', ''].join('\n');
  return readDumps([{ name: 'a.save', text }], { name: 'a' }).iptables[0]?.tables.get('nat') as RuleTable;
}

function without(chain: string): readonly string[] {
  return rules.filter((rule) => !rule.startsWith(`-A ${chain} `));
}

function shown(table: RuleTable): readonly string[] {
  return [...usesOfNoRules(table)].map(
    ({ name, target, chain, at }) => `${chain.name} ${at} ${name} ${target === undefined ? 'missing' : 'empty'}`,
  );
}

describe('what rules lead to', () => {
  const nodePorts = 'KUBE-SERVICES 1 KUBE-NODEPORTS empty';

  it('has no rules, or is not there: each such chain once, in the order of the rules', () => {
    const onNodePort = '-A KUBE-NODEPORTS -p tcp -m tcp --dport 30080 -j KUBE-SVC-A';
    assert.deepEqual(shown(nat([...rules, onNodePort])), []);
    assert.deepEqual(shown(nat(rules)), [nodePorts]);
    assert.deepEqual(shown(nat(without('KUBE-SEP-B'))), [nodePorts, 'KUBE-SVC-A 2 KUBE-SEP-B empty']);
    assert.deepEqual(shown(nat(without('KUBE-SEP-B'), ['KUBE-SEP-B'])), [nodePorts, 'KUBE-SVC-A 2 KUBE-SEP-B missing']);
    assert.deepEqual(shown(nat([...without('KUBE-SEP-B'), onNodePort], ['KUBE-SEP-B'])), [
      'KUBE-SVC-A 2 KUBE-SEP-B missing',
    ]);
    assert.deepEqual(shown(nat([...without('KUBE-MARK-MASQ'), onNodePort])), ['KUBE-SVC-A 0 KUBE-MARK-MASQ empty']);
  });

  it('is not all chains of Services where rules are lost', () => {
    const stale = (lines: readonly string[]) => staleChainsOf(nat(lines)).map(({ name }) => name);
    assert.deepEqual(stale(rules), []);
    assert.deepEqual(stale(without('KUBE-SVC-A')), ['KUBE-SEP-A', 'KUBE-SEP-B']);
    assert.deepEqual(stale(without('KUBE-SERVICES')), ['KUBE-SVC-A']);
  });
});
