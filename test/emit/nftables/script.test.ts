import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import type { NftCommand } from '../../../src/netfilter/nft/command.ts';
import { nftablesScript } from '../../../src/script/nftablesScript.ts';

const place = { family: 'ip', table: 'kube-proxy' } as const;

test('nothing of an input ends the text of the rules', () => {
  const commands: readonly NftCommand[] = [
    { object: 'table', verb: 'add', ...place, comment: 'a"\nK8SNET_END\nrm -rf /\n' },
    { object: 'chain', verb: 'add', ...place, name: 'a\nK8SNET_END\n$(reboot)' },
  ];
  const lines = [...nftablesScript({ transactions: [commands], sysctls: [] })].join('').split('\n');
  assert.equal(lines.filter((line) => line === 'K8SNET_END').length, 1);
  assert.ok(lines.includes('add table ip kube-proxy { comment "a??K8SNET_END?rm -rf /?" ; }'));
  assert.ok(lines.includes('add chain ip kube-proxy a?K8SNET_END?$(reboot)'));
  assert.equal(spawnSync('sh', ['-n'], { input: lines.join('\n') }).status, 0);
});

test('tables, hooks and maps stay, and what is in them is replaced', () => {
  const base = { type: 'filter', hook: 'input', priority: 0 } as const;
  const of = (family: string): readonly NftCommand[] => {
    const at = { family, table: 'kube-proxy' } as const;
    const set = { kind: 'set', name: 's', type: ['ipv4_addr'], flags: [], elements: [] } as const;
    return [
      { object: 'table', verb: 'add', ...at, comment: 'c' },
      { object: 'chain', verb: 'add', ...at, name: 'hook' },
      { object: 'chain', verb: 'delete', ...at, name: 'hook' },
      { object: 'chain', verb: 'add', ...at, name: 'hook', base },
      { object: 'chain', verb: 'add', ...at, name: 'plain' },
      { object: 'set', verb: 'add', ...at, set },
      { object: 'set', verb: 'add', ...at, set: { ...set, name: 'clients', flags: ['dynamic', 'timeout'] } },
    ];
  };
  const text = [...nftablesScript({ transactions: [of('ip'), of('ip6')], sysctls: [] })].join('');
  const rules = /<<'K8SNET_END'\n([\s\S]*?)K8SNET_END/.exec(text)?.[1];
  const lines = (family: string) => `add table ${family} kube-proxy { comment "c" ; }
flush table ${family} kube-proxy
add chain ${family} kube-proxy hook { type filter hook input priority 0 ; }
add chain ${family} kube-proxy plain
add set ${family} kube-proxy s { type ipv4_addr ; }
flush set ${family} kube-proxy s
add set ${family} kube-proxy clients { type ipv4_addr ; flags dynamic,timeout ; }
`;
  assert.equal(rules, lines('ip') + lines('ip6'));
  assert.match(text, /^renew_tables kube-proxy ip ip6 \|\|/m);
});

test('old kernels and old nft are told apart from new ones', () => {
  const text = [...nftablesScript({ transactions: [], sysctls: [] })].join('');
  const definition = /comparable\(\) \{[\s\S]*?\n\}\n/.exec(text)?.[0] ?? '';
  const versions = ['5.12.19', '5.13.0-1-amd64', '6.1', '6.18.44-fc-v669', '1.0.1', '1.0.6 (Lester Gooch #5)', '0.9.8'];
  const run = versions.map((version) => `comparable '${version}'\n`).join('');
  const output = spawnSync('sh', ['-euc', definition + run], { encoding: 'utf8' }).stdout;
  assert.deepEqual(
    output.trim().split('\n').map(Number),
    [5_012_019, 5_013_000, 6_001_000, 6_018_044, 1_000_001, 1_000_006, 9_008],
  );
});
