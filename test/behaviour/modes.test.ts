import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { BehaviourFinding } from '../../src/behaviour/behaviourFinding.ts';
import { compareBehaviour } from '../../src/behaviour/compareBehaviour.ts';
import { protocolName } from '../../src/trace/question/protocolName.ts';
import { addressText, endText } from '../../src/walk/values/text.ts';
import { recordedFiles, twoSides } from './sides.ts';

/**
 * What real packets did under kube-proxy's rules of iptables and of nftables mode: the comparison reports each destination
 * and sender that fared otherwise, and none that fared the same.
 */
const folder = join(import.meta.dirname, '../../golden/recorded/mode-outcomes');

type Probe = readonly [
  from: string,
  to: string,
  proto: string,
  entrance: string,
  use: string,
  a: readonly string[],
  b: readonly string[],
  stickyA: boolean | null,
  stickyB: boolean | null,
];

interface Recorded {
  readonly facts: { readonly sysctls: object };
  readonly sysctlsB: object;
  readonly probes: readonly Probe[];
}

describe('iptables mode against nftables mode, as packets show it', () => {
  for (const file of readdirSync(folder)) {
    const scenario = file.replace('.json', '');
    it(scenario, () => {
      const recorded = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded;
      const [a, b] = twoSides(
        recordedFiles(scenario, 'iptables', ['iptables.v4.save', 'iptables.v6.save']),
        recordedFiles(scenario, 'nftables', ['nft.v4.save', 'nft.v6.save']),
        [recorded.facts, { ...recorded.facts, sysctls: recorded.sysctlsB }],
      );
      const { findings } = compareBehaviour(a, b);
      const probed = new Set(
        recorded.probes.filter((probe) => probe[4] === 'port').map(([, to, proto]) => `${to}/${proto}`),
      );
      const placeOf = (to: string, proto: string) =>
        probed.has(`${to}/${proto}`) ? `${to}/${proto}` : `${to.slice(0, to.lastIndexOf(':'))} otherwise`;
      const differs = new Map<string, boolean>();
      for (const [from, to, proto, , , one, other, stickyA, stickyB] of recorded.probes) {
        if ([...one, ...other].includes('unjudged')) continue;
        const isOther = one.join() !== other.join() || stickyA !== stickyB;
        const key = `${from} → ${placeOf(to, proto)}`;
        differs.set(key, differs.get(key) === true || isOther);
      }
      const reported = new Set(findings.map((finding) => keyOf(finding, placeOf)));
      const said = [...reported].filter((key) => differs.get(key) === false);
      assert.deepEqual(said, [], 'reported, though packets fare the same');
      const silent = [...differs].filter(([key, isOther]) => isOther && !isCovered(key, reported, recorded));
      assert.deepEqual(silent, [], 'packets fare otherwise, and nothing says so');
      assert.ok([...differs.values()].filter(Boolean).length > 3);
    });
  }
});

function keyOf({ entrance, packet }: BehaviourFinding, placeOf: (to: string, proto: string) => string): string {
  const from = entrance === 'node' ? 'node' : addressText(packet.source);
  return `${from} → ${placeOf(endText(packet.destination, packet.destinationPort), protocolName(packet.protocol))}`;
}

/** One endpoint stands for others that fare alike, and one Pod of another node for its endpoints there. */
function isCovered(key: string, reported: ReadonlySet<string>, { probes }: Recorded): boolean {
  if (reported.has(key)) return true;
  const [from, place] = key.split(' → ');
  const kindsOf = (who: string | undefined) => probes.filter((probe) => probe[0] === who).map((probe) => probe[3]);
  const kinds = new Set(kindsOf(from));
  if (!['endpoint', 'remote-endpoint', 'remote-pod'].some((kind) => kinds.has(kind))) return false;
  return [...reported].some((other) => {
    const [who, where] = other.split(' → ');
    return where === place && kindsOf(who).some((kind) => kinds.has(kind));
  });
}
