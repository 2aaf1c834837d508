import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compareSets } from '../../src/compare/compareSets.ts';
import { diffDumps } from '../../src/diff/diffDumps.ts';
import { diffNodes } from '../../src/diff/diffNodes.ts';
import { dumpKind } from '../../src/dump/dumpKind.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { canonicalText } from '../../src/node/canonicalText.ts';
import type { ToolRules } from '../../src/node/nodeRules.ts';
import { everyTool } from '../../src/node/ruleKinds.ts';
import { root } from '../support/compileCase.ts';

const folder = join(root, 'fixtures/diff/captures');
const capture = (name: string) => readFileSync(join(folder, name), 'utf8');
const read = (name: string) => readDumps([{ name, text: capture(name) }], { name });
const how = { level: 'rules', hasForeign: true } as const;

describe('reading what tools print', () => {
  it('reads every capture without a line left over', () => {
    for (const name of readdirSync(folder)) {
      const dump = read(name);
      assert.deepEqual(dump.unread, [], name);
      assert.ok(everyTool(dump).length > 0, name);
    }
  });

  for (const [name, kind] of [
    ['iptables-L-nat-nft.txt', 'iptables'],
    ['iptables-S-nat-nft.txt', 'iptables'],
    ['nft-list-ruleset.txt', 'nft'],
    ['nft-j-list-ruleset.txt', 'nftJson'],
    ['ipset-save.txt', 'ipset'],
    ['ipvsadm-Ln.txt', 'ipvs'],
    ['ipvsadm-Sn.txt', 'ipvs'],
    ['ip-addr-kube-ipvs0.txt', 'addresses'],
  ] as const) {
    it(`tells that ${name} is ${kind}`, () => assert.equal(dumpKind(capture(name)), kind));
  }

  describe('one text of several programs', () => {
    const names = [
      'iptables-save-legacy.txt',
      'nft-list-ruleset.txt',
      'ipset-save.txt',
      'ipvsadm-Sn.txt',
      'ip-addr-kube-ipvs0.txt',
    ];
    const apart = readDumps(
      names.map((name) => ({ name, text: capture(name) })),
      { name: 'node' },
    );
    const joined = (order: readonly string[], separator = (_name: string) => '') =>
      readDumps([{ name: 'all', text: order.map((name) => separator(name) + capture(name)).join('') }], {
        name: 'node',
      });

    it('is read as if each had a file of its own, in any order', () => {
      for (const order of [names, names.toReversed(), [...names.slice(2), ...names.slice(0, 2)]]) {
        const dump = joined(order);
        assert.deepEqual(dump.unread, []);
        assert.deepEqual(diffDumps(apart, dump, how).changes, []);
        assert.deepEqual(
          new Set(everyTool(dump).map(({ kind, family }) => `${kind} ${family}`)),
          new Set(everyTool(apart).map(({ kind, family }) => `${kind} ${family}`)),
        );
      }
    });

    it('is read past the prompts between them', () => {
      const dump = joined(names, (name) => `[root@node-1 ~]# ${name.replace(/-.*$/, '')} --all\n`);
      assert.deepEqual(dump.unread, []);
      assert.deepEqual(diffDumps(apart, dump, how).changes, []);
    });

    it('is read around a JSON document', () => {
      const order = ['iptables-save-legacy.txt', 'nft-j-list-ruleset.txt', 'ipset-save.txt'];
      const dump = joined(order);
      assert.deepEqual(dump.unread, []);
      const alone = readDumps(
        order.map((name) => ({ name, text: capture(name) })),
        { name: 'node' },
      );
      assert.deepEqual(diffDumps(alone, dump, how).changes, []);
    });

    it('has what cannot be read reported at its line', () => {
      const before = `${capture('ipset-save.txt')}what is this\n`;
      const text = `${before}${capture('nft-list-ruleset.txt')}and that?\n`;
      const dump = readDumps([{ name: 'all', text }], { name: 'node' });
      assert.deepEqual(
        dump.unread.map(({ line, text: shown }) => [line, shown]),
        [
          [before.split('\n').length - 1, 'what is this'],
          [text.split('\n').length - 1, 'and that?'],
        ],
      );
    });
  });

  it('finds the same rules in iptables-save, with counters, in -S and, as far as it shows them, in -L', () => {
    const whole = read('iptables-save-nft-nat.txt');
    for (const name of ['iptables-S-nat-nft.txt', 'iptables-L-nat-nft.txt', 'iptables-L-nat-legacy.txt']) {
      assert.deepEqual(diffDumps(whole, read(name), how).changes, [], name);
    }
    const all = read('iptables-save-nft.txt');
    assert.deepEqual(diffDumps(all, read('iptables-save-nft-counters.txt'), how).changes, []);
    assert.deepEqual(diffDumps(all, read('iptables-save-legacy.txt'), how).changes, []);
  });

  it('names a line that it cannot read', () => {
    const text = '*nat\n:PREROUTING ACCEPT [0:0]\n-A PREROUTING -j\nnonsense here\nCOMMIT\n';
    const { unread } = readDumps([{ name: 'x', text }], { name: 'x' });
    assert.deepEqual(
      unread.map(({ line }) => line),
      [3, 4],
    );
  });

  it('tells the families and tables of several dumps in one file apart', () => {
    const text =
      '*nat\n:PREROUTING ACCEPT [0:0]\n-A PREROUTING -d 10.0.0.1/32 -j ACCEPT\nCOMMIT\n*nat\n:PREROUTING ACCEPT [0:0]\n-A PREROUTING -d fd00::1/128 -j ACCEPT\nCOMMIT\n';
    assert.deepEqual(
      everyTool(readDumps([{ name: 'x', text }], { name: 'x' })).map(({ family }) => family),
      ['ipv4', 'ipv6'],
    );
  });

  it('believes the program that saved a dump without addresses more than what was said of dumps that do not tell', () => {
    const empty = (program: string) => `# Generated by ${program} v1.8.9\n*nat\n:PREROUTING ACCEPT [0:0]\nCOMMIT\n`;
    const family = (text: string, said: 'ipv4' | 'ipv6') =>
      readDumps([{ name: 'x', text }], { name: 'x', family: said }).iptables[0]?.family;
    assert.equal(family(empty('iptables-save'), 'ipv6'), 'ipv4');
    assert.equal(family(empty('ip6tables-save'), 'ipv4'), 'ipv6');
    assert.equal(family(empty('a friend'), 'ipv6'), 'ipv6');
  });

  it('takes two dumps of one back end for one, and two of two back ends for two', () => {
    const table = (program: string, target: string) =>
      `# Generated by iptables-save v1.8.9${program}\n*filter\n:INPUT ACCEPT [0:0]\n:X - [0:0]\n-A X -s 10.0.0.1/32 -j ${target}\nCOMMIT\n`;
    const read = (...texts: readonly string[]) => {
      const files = texts.map((text, at) => ({ name: `dump${at}`, text }));
      const { iptables: sets, notes } = readDumps(files, { name: 'node' });
      return { sets: sets.map(({ backend }) => backend), notes: notes.length };
    };
    const nft = table(' (nf_tables)', 'ACCEPT');
    assert.deepEqual(read(nft, nft.replace('-A X', '[1:2] -A X')), { sets: ['nft'], notes: 1 });
    assert.deepEqual(read(nft, table(' (nf_tables)', 'DROP')), { sets: ['nft'], notes: 1 });
    assert.deepEqual(read(nft, table('', 'ACCEPT')), { sets: ['nft', 'legacy'], notes: 0 });
    const old = (target: string) => table('', target).replace('v1.8.9', 'v1.6.0');
    assert.deepEqual(read(old('ACCEPT'), old('ACCEPT')), { sets: [undefined], notes: 1 });
    assert.deepEqual(read(old('ACCEPT'), old('DROP')), { sets: [undefined, undefined], notes: 0 });
  });
});

describe('one form of all spellings', () => {
  it('makes the same of what was given to the tool and of what it saved', () => {
    const rows = readFileSync(join(root, 'fixtures/normal-forms/normal-forms.tsv'), 'utf8').split('\n').slice(1);
    let compared = 0;
    for (const row of rows) {
      const [id, , digit, table, input = '', saved = ''] = row.split('\t');
      // Rejected by the tools: nothing was saved.
      if (!saved.startsWith('-A ')) continue;
      const family = digit === '6' ? 'ipv6' : 'ipv4';
      const form = (rules: string) => {
        const text = `*${table}\n${rules.replaceAll(' ⏎ ', '\n')}\nCOMMIT\n`;
        return [...canonicalText(readDumps([{ name: 'x', text }], { name: 'x', family }))].join('');
      };
      assert.equal(form(input), form(saved), id);
      compared += 1;
    }
    assert.ok(compared > 290, `${compared} rows`);
  });
});

describe('two dumps and several nodes', () => {
  const save = read('iptables-save-nft.txt');
  const text = capture('iptables-save-nft.txt');

  it('shows one edited rule on both sides with its line', () => {
    const line = text.split('\n').findIndex((one) => one.includes('--to-destination'));
    const edited = text
      .split('\n')
      .map((one, at) => (at === line ? one.replace(/\S+$/, '192.0.2.1:1') : one))
      .join('\n');
    const { changes } = diffDumps(save, readDumps([{ name: 'b', text: edited }], { name: 'b' }), how);
    assert.equal(changes.length, 2);
    assert.ok(changes.some(({ place }) => place?.line === line + 1));
  });

  it('finds the odd node', () => {
    const odd = readDumps([{ name: 'c', text: text.replace(/^-A KUBE-SEP.*MARK-MASQ\n/m, '') }], { name: 'c' });
    const same = readDumps([{ name: 'b', text }], { name: 'b' });
    const report = diffNodes([odd, save, same], how);
    assert.equal(report.foundName, 'c');
    assert.equal(report.changes.length, 1);
  });

  it('takes no notice of the order of free rules, but of that of others', () => {
    const rules = (...lines: string[]) =>
      readDumps(
        [{ name: 'x', text: `*nat\n:KUBE-SERVICES - [0:0]\n:PREROUTING ACCEPT [0:0]\n${lines.join('\n')}\nCOMMIT\n` }],
        { name: 'x' },
      ).iptables[0] as ToolRules;
    const one = '-A KUBE-SERVICES -d 10.0.0.1/32 -p tcp -m tcp --dport 80 -j KUBE-SVC-A';
    const other = '-A KUBE-SERVICES -d 10.0.0.2/32 -p tcp -m tcp --dport 80 -j KUBE-SVC-B';
    const wide = '-A KUBE-SERVICES -d 10.0.0.1/32 -p tcp -m tcp --dport 80 -j KUBE-SVC-C';
    const moved = (a: ToolRules, b: ToolRules) => compareSets(a, b, how).chains.flatMap((chain) => chain.moved);
    assert.deepEqual(moved(rules(one, other), rules(other, one)), []);
    assert.equal(moved(rules(one, wide), rules(wide, one)).length, 1);
  });
});
