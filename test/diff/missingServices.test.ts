import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compileCase, root } from '../support/compileCase.ts';
import { diffText } from './diffCase.ts';

const recorded = (path: string) => readFileSync(join(root, 'golden/recorded/services/lb-basic', path), 'utf8');

describe('a Service whose cluster IP is not there', () => {
  it('counts as missing in nftables mode', async () => {
    const { compiled } = await compileCase('services/lb-basic', '--mode', 'nftables', '--family', 'ipv4');
    assert.ok(compiled);
    const text = recorded('nftables/nft.v4.save');
    const map = /map service-ips \{[^}]*?elements = \{([^}]*)\}/s.exec(text)?.[1] ?? '';
    const [first = ''] = map.match(/\S+ \. \w+ \. \d+ : goto service-\S+?(?:,|\s)/) ?? [];
    assert.notEqual(first, '');
    const { summary } = diffText(compiled, [text.replace(first, '')], 'ipv4');
    assert.deepEqual([summary.missing, summary.differ], [1, 0]);
  });

  it('counts as missing in IPVS mode', async () => {
    const { compiled } = await compileCase('services/lb-basic', '--mode', 'ipvs', '--family', 'ipv4');
    assert.ok(compiled);
    const text = recorded('ipvs/ipvsadm.v4.save');
    const cluster = /^-A -t (10\.\d+\.\d+\.\d+:\d+)/m.exec(text)?.[1] ?? '';
    const lines = text.split('\n').filter((line) => !line.includes(` ${cluster} `));
    const { summary } = diffText(compiled, [lines.join('\n')], 'ipv4');
    assert.deepEqual([summary.missing, summary.differ], [1, 0]);
  });
});
