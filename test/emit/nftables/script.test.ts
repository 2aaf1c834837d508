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

test('every table is made anew in the transaction that fills it', () => {
  const of = (family: string): readonly NftCommand[] => [
    { object: 'table', verb: 'add', family, table: 't', comment: 'c' },
  ];
  const text = [...nftablesScript({ transactions: [of('ip'), of('ip6')], sysctls: [] })].join('');
  assert.match(
    text,
    /add table ip t\ndelete table ip t\nadd table ip t \{.*\}\nadd table ip6 t\ndelete table ip6 t\nadd table ip6 t \{/,
  );
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
