import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BehaviourFinding } from '../../src/behaviour/behaviourFinding.ts';
import { comparePair } from '../../src/behaviour/compareBehaviour.ts';
import { comparedPair } from '../../src/behaviour/comparedPair.ts';
import { recordedFiles, twoSides } from './sides.ts';

const files = (mode: string, names: readonly string[], edit: (text: string) => string = (text) => text) =>
  recordedFiles('clusterip-endpoint-counts', mode, names).map(({ name, text }) => ({ name, text: edit(text) }));
const iptables = (edit?: (text: string) => string) => files('iptables', ['iptables.v4.save'], edit);
const nftables = files('nftables', ['nft.v4.save']);
/** Packets to one Service do not get to it untranslated. */
const closed = (text: string) => {
  const [, ip] = /-A KUBE-SERVICES -d ([\d.]+)\/32/.exec(text) ?? [];
  assert.ok(ip !== undefined);
  return text.replace(/(\*filter\n(?::.*\n)+)/, `$1-A FORWARD -d ${ip}/32 -j DROP\n`);
};

const key = ({ entrance, destination, packet, a, b }: BehaviourFinding) =>
  [
    entrance,
    destination.address,
    destination.use,
    packet.protocol,
    packet.destinationPort,
    ...[a, b].flatMap(outcomes),
  ].join(' ');

function outcomes({ outcomes: all }: BehaviourFinding['a']): readonly string[] {
  return [...all.keys()].sort();
}

describe('a comparison beside that of another pair', () => {
  const own = () => comparedPair(...twoSides(iptables(), nftables));
  const beside = comparedPair(...twoSides(iptables(closed), nftables));

  it('finds the same', () => {
    const alone = comparePair(own()).findings;
    assert.ok(alone.length > 0);
    const { findings } = comparePair(own(), {}, { beside });
    assert.deepEqual(findings.map(key), alone.map(key));
  });

  it('walks for all of a shape only what the other pair treats alike', () => {
    const { findings } = comparePair(own(), {}, { beside });
    const there = new Set(comparePair(beside).findings.map(key));
    assert.ok(findings.some((one) => !there.has(key(one))));
    assert.ok(findings.some(({ like }) => like !== undefined));
    for (const one of findings) assert.equal(there.has(key(one)), there.has(key(one.like ?? one)), key(one));
  });

  it('finds at an address what it finds there among all', () => {
    const all = comparePair(beside).findings;
    const addresses = new Set(all.slice(0, 1).map(({ destination }) => destination.address));
    const there = all.filter(({ destination }) => addresses.has(destination.address));
    assert.ok(there.length < all.length);
    assert.deepEqual(comparePair(beside, {}, { addresses }).findings.map(key), there.map(key));
  });
});
