import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { generator } from '../../src/trace/countTraces.ts';
import { fuzzSeed } from '../support/fuzzSeed.ts';
import { sampled } from './sampled.ts';
import { recordedFiles, services, twoSides } from './sides.ts';

const files = {
  iptables: ['iptables.v4.save', 'iptables.v6.save'],
  nftables: ['nft.v4.save', 'nft.v6.save'],
  ipvs: ['v4', 'v6'].flatMap((family) => [
    `iptables.${family}.save`,
    `ipset.${family}.save`,
    `ipvsadm.${family}.save`,
    `addresses.${family}`,
  ]),
};
const pairs = [
  ['iptables', 'nftables'],
  ['iptables', 'ipvs'],
  ['nftables', 'ipvs'],
] as const;
/** `SAMPLED=all` takes every recorded scenario, `SAMPLED_PACKETS` as many packets of each pair. */
const isAll = process.env.SAMPLED === 'all';
const packets = Number(process.env.SAMPLED_PACKETS ?? 40);
const random = generator(fuzzSeed);
const all = readdirSync(services).filter((one) => one.includes(process.env.ONLY ?? ''));
const scenarios = isAll ? all : Array.from({ length: 6 }, () => all[Math.floor(random() * all.length)] as string);

for (const scenario of scenarios) {
  test(`random packets fare otherwise where the comparison says so: ${scenario} (seed ${fuzzSeed})`, () => {
    let compared = 0;
    for (const [one, other] of pairs) {
      const [a, b] = [one, other].map((mode) => recordedFiles(scenario, mode, files[mode]));
      if (a === undefined || b === undefined || a.length === 0 || b.length === 0) continue;
      const seen = sampled(twoSides(a, b), packets, random);
      assert.ok(seen.packets > 0, `${one} against ${other}`);
      compared += 1;
    }
    assert.ok(compared > 0, 'nothing was recorded of two modes');
  });
}
