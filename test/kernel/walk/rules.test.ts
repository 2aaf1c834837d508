import assert from 'node:assert/strict';
import { machine, openLab } from '../../../src/lab/openLab.ts';
import { kernelTests } from '../requirements.ts';
import { compareRules, type RandomRules } from './compareRules.ts';
import { createDice, type Dice } from './dice.ts';
import { openTraceReader } from './openTraceReader.ts';
import { randomIptables } from './randomIptables.ts';
import { randomNft } from './randomNft.ts';
import { network, randomProbe } from './randomPlaces.ts';

/**
 * Random rules are loaded, packets sent, and the kernel's own trace of each, of the answer and of the next packet is held
 * against the walk, rule by rule. FUZZ_SEED and FUZZ_RULES say which rules, and how many sets of each kind.
 */
const seed = Number(process.env.FUZZ_SEED ?? 1);
const count = Number(process.env.FUZZ_RULES ?? 4);
const probesEach = 8;

const kinds: readonly {
  readonly name: string;
  readonly make: (dice: Dice) => RandomRules;
}[] = [
  { name: 'iptables-nft', make: (dice) => ({ backend: 'nft', iptables: randomIptables(dice), nft: '' }) },
  { name: 'iptables-legacy', make: (dice) => ({ backend: 'legacy', iptables: randomIptables(dice), nft: '' }) },
  { name: 'nft', make: (dice) => ({ backend: 'nft', iptables: '', nft: randomNft(dice) }) },
  {
    name: 'nft beside iptables-nft',
    make: (dice) => ({ backend: 'nft', iptables: randomIptables(dice), nft: randomNft(dice) }),
  },
];

const kernelTest = kernelTests(['iptables-nft', 'iptables-legacy', 'nft', 'ipset']);

// Most of the time packets are waited for that never come.
kernelTest(`packets go the way that the walk says (seed ${seed})`, async () => {
  const problems = await Promise.all(kinds.map(({ name, make }) => problemsOf(name, make)));
  assert.deepEqual(problems.flat(), []);
});

async function problemsOf(name: string, make: (dice: Dice) => RandomRules): Promise<readonly string[]> {
  const lab = await openLab(network);
  try {
    const reader = await openTraceReader(machine(lab, 'n1'));
    const sourcePorts = { next: 20_000 };
    const found: string[] = [];
    let further = 0;
    for (let at = seed; at < seed + count; at += 1) {
      const dice = createDice(at);
      const rules = make(dice);
      const probes = dice.times(probesEach, probesEach, () => randomProbe(dice));
      const compared = await compareRules(lab, reader, rules, probes, sourcePorts);
      const problems = typeof compared === 'string' ? [compared] : compared.problems;
      for (const problem of problems) found.push(`${name}, seed ${at}: ${problem}`);
      if (problems.length > 0) console.error(`${name}, seed ${at}\n${rules.iptables}${rules.nft}`);
      further += typeof compared === 'string' ? 0 : compared.further;
    }
    assert.ok(further > count, `${name}: answers and next packets were compared`);
    reader.close();
    return found;
  } finally {
    await lab.close();
  }
}
