import assert from 'node:assert/strict';
import { machine } from '../../../src/lab/openLab.ts';
import { kernelTests } from '../requirements.ts';
import { openTruthLab, truthPods } from '../walkTruthLab.ts';
import { compareRules } from './compareRules.ts';
import { createDice, type Dice } from './dice.ts';
import type { RulePart } from './loadParts.ts';
import { openTraceReader, type TraceReader } from './openTraceReader.ts';
import { ipsetCommands, randomIptables } from './randomIptables.ts';
import { randomNft } from './randomNft.ts';
import { type Places, placesV4, placesV6, randomProbe } from './randomPlaces.ts';

/**
 * Random rules are loaded, packets sent, and the kernel's own trace of each, of the answer and of the next packet is held
 * against the walk, rule by rule. FUZZ_SEED and FUZZ_RULES say which rules, and how many sets of each kind.
 */
const seed = Number(process.env.FUZZ_SEED ?? 1);
const count = Number(process.env.FUZZ_RULES ?? 3);
const probesEach = 8;

const sets: RulePart = ['ipset', ipsetCommands];

interface Kind {
  readonly name: string;
  readonly places: Places;
  readonly make: (dice: Dice) => readonly RulePart[];
}

function tables(dice: Dice, tool: 'nft' | 'legacy', places: Places): RulePart {
  return [places === placesV6 ? `ip6tables-${tool}` : `iptables-${tool}`, randomIptables(dice, places)];
}

const kinds: readonly Kind[] = [
  { name: 'iptables-nft', places: placesV4, make: (dice) => [sets, tables(dice, 'nft', placesV4)] },
  { name: 'iptables-legacy', places: placesV4, make: (dice) => [sets, tables(dice, 'legacy', placesV4)] },
  { name: 'ip6tables-nft', places: placesV6, make: (dice) => [sets, tables(dice, 'nft', placesV6)] },
  { name: 'ip6tables-legacy', places: placesV6, make: (dice) => [sets, tables(dice, 'legacy', placesV6)] },
  { name: 'nft', places: placesV4, make: (dice) => [['nft', randomNft(dice)]] },
  { name: 'nft, IPv6', places: placesV6, make: (dice) => [['nft', randomNft(dice, placesV6)]] },
  {
    name: 'nft beside iptables-nft',
    places: placesV4,
    make: (dice) => [sets, tables(dice, 'nft', placesV4), ['nft', randomNft(dice)]],
  },
  {
    name: 'iptables-legacy beside iptables-nft',
    places: placesV4,
    make: (dice) => [sets, tables(dice, 'legacy', placesV4), tables(dice, 'nft', placesV4)],
  },
  {
    name: 'ip6tables-legacy beside ip6tables-nft',
    places: placesV6,
    make: (dice) => [sets, tables(dice, 'legacy', placesV6), tables(dice, 'nft', placesV6)],
  },
];

const wanted = process.env.FUZZ_KIND;
const kernelTest = kernelTests(['iptables-nft', 'iptables-legacy', 'nft', 'ipset']);

// Most of the time packets are waited for that never come.
kernelTest(`packets go the way that the walk says (seed ${seed})`, async () => {
  const compared = await Promise.all(
    kinds.filter(({ name }) => wanted === undefined || name === wanted).map(compareKind),
  );
  assert.deepEqual(
    compared.flatMap(({ problems }) => problems),
    [],
  );
  // Of one kind few random packets may come back.
  const further = compared.reduce((sum, one) => sum + one.further, 0);
  assert.ok(further > count * compared.length, `${further} answers and next packets were compared`);
});

interface Compared {
  readonly problems: readonly string[];
  /** Answers and next packets that were compared. */
  readonly further: number;
}

async function compareKind({ name, places, make }: Kind): Promise<Compared> {
  const lab = await openTruthLab();
  let reader: TraceReader | undefined;
  try {
    const node = machine(lab, 'n1');
    reader = await openTraceReader(node);
    const ground = { lab, node, reader, pods: truthPods };
    const sourcePorts = { next: 20_000 };
    const found: string[] = [];
    let further = 0;
    for (let at = seed; at < seed + count; at += 1) {
      const dice = createDice(at);
      const rules = make(dice);
      const probes = dice.times(probesEach, probesEach, () => randomProbe(dice, places));
      const compared = await compareRules(ground, rules, probes, sourcePorts);
      const problems = typeof compared === 'string' ? [compared] : compared.problems;
      for (const problem of problems) found.push(`${name}, seed ${at}: ${problem}`);
      if (problems.length > 0) console.error(`${name}, seed ${at}\n${rules.map(([, text]) => text).join('')}`);
      further += typeof compared === 'string' ? 0 : compared.further;
    }
    return { problems: found, further };
  } finally {
    reader?.close();
    await lab.close();
  }
}
