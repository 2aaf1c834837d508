import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { detectedPodRange } from '../../src/diff/settle/detectedPodRange.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { everyTool } from '../../src/node/ruleKinds.ts';
import { podRangeIn } from '../../src/seen/settings/podRangeIn.ts';
import { compileFiles, root } from '../support/compileCase.ts';

const fixture = join(root, 'fixtures/services/realistic-boutique/manifests.yaml');
const dumps: readonly (readonly [mode: string, golden: string])[] = [
  ['iptables', 'services/realistic-boutique/iptables/iptables.v4.save'],
  ['iptables', 'dialects/c01-nodeport/1.16/iptables.v4.save'],
  ['ipvs', 'services/realistic-boutique/ipvs/iptables.v4.save'],
  ['nftables', 'services/realistic-boutique/nftables/nft.v4.save'],
  ['nftables', 'nft-dialects/lb-basic/1.29/nft.v4.save'],
  ['nftables', 'nft-dialects/lb-basic/1.35/nft.v4.save'],
  ['nftables', 'nft-dialects/lb-basic/1.36/nft.v4.save'],
];

async function notesOf(mode: string, golden: string, ...args: readonly string[]): Promise<readonly string[]> {
  const { compiled } = await compileFiles([fixture], ['--mode', mode, '--family', 'ipv4', ...args]);
  assert.ok(compiled);
  const text = readFileSync(join(root, 'golden/recorded', golden), 'utf8');
  const notes: string[] = [];
  detectedPodRange(compiled, everyTool(readDumps([{ name: golden, text }], { name: 'node' })), notes);
  return notes;
}

for (const [mode, golden] of dumps) {
  it(`names the clusterCIDR of a dump where another or none was given: ${golden}`, async () => {
    const [missing] = await notesOf(mode, golden);
    const range = /add --cluster-cidr (\S+)$/.exec(missing ?? '')?.[1] as string;
    assert.match(range, /^10\.244\.0\.0\/16$/);
    assert.deepEqual(await notesOf(mode, golden, '--cluster-cidr', range), []);
    const [wrong] = await notesOf(mode, golden, '--cluster-cidr', '10.0.0.0/16');
    assert.match(wrong ?? '', /knows Pods by 10\.244\.0\.0\/16, not by 10\.0\.0\.0\/16/);
    assert.deepEqual(await notesOf(mode, golden, '--detect-local-mode', 'NodeCIDR'), []);
  });
}

it('is told by policy Local where a dump was cut before the chains of Services', () => {
  const text = `*nat
:KUBE-SERVICES - [0:0]
:KUBE-EXT-AAAAAAAAAAAAAAAA - [0:0]
:KUBE-SVC-AAAAAAAAAAAAAAAA - [0:0]
-A KUBE-EXT-AAAAAAAAAAAAAAAA -s 10.244.0.0/16 -m comment --comment "pod traffic for a/b external destinations" -j KUBE-SVC-AAAAAAAAAAAAAAAA
`;
  const range = (dump: string) => everyTool(readDumps([{ name: 'cut', text: dump }], { name: 'node' })).map(podRangeIn);
  assert.deepEqual(range(text), ['10.244.0.0/16']);
});

it('is told where all Services keep their traffic on the node', () => {
  const file = 'services/policy-itp-local/iptables/iptables.v4.save';
  const text = readFileSync(join(root, 'golden/recorded', file), 'utf8');
  const ranges = readDumps([{ name: file, text }], { name: 'node', family: 'ipv4' }).iptables.map(podRangeIn);
  assert.deepEqual(ranges, ['10.244.0.0/16']);
});
