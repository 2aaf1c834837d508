import assert from 'node:assert/strict';
import { type Lab, machine, openLab } from '../../../src/lab/openLab.ts';
import type { NetworkPod } from '../../../src/node/networkFacts.ts';
import { kernelTests } from '../requirements.ts';
import { compareRules } from './compareRules.ts';
import { createDice, type Dice } from './dice.ts';
import type { RulePart } from './loadParts.ts';
import { openTraceReader, type TraceReader } from './openTraceReader.ts';
import { ipsetCommands, randomIptables } from './randomIptables.ts';
import { randomNft } from './randomNft.ts';
import { network, randomProbe } from './randomPlaces.ts';

/**
 * Random rules are loaded, packets sent, and the kernel's own trace of each, of the answer and of the next packet is held
 * against the walk, rule by rule. FUZZ_SEED and FUZZ_RULES say which rules, and how many sets of each kind.
 */
const seed = Number(process.env.FUZZ_SEED ?? 1);
const count = Number(process.env.FUZZ_RULES ?? 4);
const probesEach = 8;

const sets: RulePart = ['ipset', ipsetCommands];

const kinds: readonly {
  readonly name: string;
  readonly make: (dice: Dice) => readonly RulePart[];
}[] = [
  { name: 'iptables-nft', make: (dice) => [sets, ['iptables-nft', randomIptables(dice)]] },
  { name: 'iptables-legacy', make: (dice) => [sets, ['iptables-legacy', randomIptables(dice)]] },
  { name: 'nft', make: (dice) => [['nft', randomNft(dice)]] },
  {
    name: 'nft beside iptables-nft',
    make: (dice) => [sets, ['iptables-nft', randomIptables(dice)], ['nft', randomNft(dice)]],
  },
];

const kernelTest = kernelTests(['iptables-nft', 'iptables-legacy', 'nft', 'ipset']);

// Most of the time packets are waited for that never come.
kernelTest(`packets go the way that the walk says (seed ${seed})`, async () => {
  const problems = await Promise.all(kinds.map(({ name, make }) => problemsOf(name, make)));
  assert.deepEqual(problems.flat(), []);
});

async function problemsOf(name: string, make: (dice: Dice) => readonly RulePart[]): Promise<readonly string[]> {
  const lab = await openLab(network);
  let reader: TraceReader | undefined;
  try {
    const node = machine(lab, 'n1');
    reader = await openTraceReader(node);
    const ground = { lab, node, reader, pods: podsOf(lab) };
    const sourcePorts = { next: 20_000 };
    const found: string[] = [];
    let further = 0;
    for (let at = seed; at < seed + count; at += 1) {
      const dice = createDice(at);
      const rules = make(dice);
      const probes = dice.times(probesEach, probesEach, () => randomProbe(dice));
      const compared = await compareRules(ground, rules, probes, sourcePorts);
      const problems = typeof compared === 'string' ? [compared] : compared.problems;
      for (const problem of problems) found.push(`${name}, seed ${at}: ${problem}`);
      if (problems.length > 0) console.error(`${name}, seed ${at}\n${rules.map(([, text]) => text).join('')}`);
      further += typeof compared === 'string' ? 0 : compared.further;
    }
    assert.ok(further > count, `${name}: answers and next packets were compared`);
    return found;
  } finally {
    reader?.close();
    await lab.close();
  }
}

function podsOf({ network: { pods } }: Lab): readonly NetworkPod[] {
  return pods.map(({ name, node, addresses }, at) => ({
    name,
    ips: addresses,
    node,
    ...(node === 'n1' && { interface: `veth${at}` }),
  }));
}
