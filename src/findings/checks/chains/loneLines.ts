import type { Family } from '../../../common/addresses/family.ts';
import { type EntranceLine, entranceLine } from '../../../netfilter/iptables/read/entranceLine.ts';
import { destinationOf } from '../../../netfilter/iptables/ruleParts.ts';
import { hostNumber } from '../../../netfilter/iptables/values/hostNumber.ts';
import { ruleOf } from '../../../node/rulesOf.ts';

/** A line that leads packets to a chain: for one address and port, or for one port of any address. */
export type LoneLine = 'address' | 'port';

/**
 * Which lines of a chain hide no other line, and are hidden by none, while no rule before them is for several addresses:
 * nobody else in the chain asks for what they ask for. Nearly all lines of a long chain are such, and are not parsed.
 */
export function loneLines(lines: readonly string[], family: Family): (at: number) => LoneLine | undefined {
  if (lines.length < fewLines || family !== 'ipv4') return () => undefined;
  const shown = lines.map(entranceLine);
  const doors = new Map<number, number>();
  const ports = new Map<number, number>();
  const otherAddresses = new Set<number>();
  let hasOthers = false;
  for (const [at, entrance] of shown.entries()) {
    if (entrance === undefined) {
      hasOthers = true;
      otherAddresses.add(hostNumber(destinationOf(ruleOf(lines[at] as string, family)) ?? ''));
    } else {
      countOne(ports, portKey(entrance));
      if (entrance.destination !== undefined) countOne(doors, doorKey(entrance, entrance.destination));
    }
  }
  return (at) => {
    const entrance = shown[at];
    if (entrance === undefined) return undefined;
    const { destination } = entrance;
    if (destination === undefined) return !hasOthers && ports.get(portKey(entrance)) === 1 ? 'port' : undefined;
    const isAlone = !otherAddresses.has(destination) && doors.get(doorKey(entrance, destination)) === 1;
    return isAlone ? 'address' : undefined;
  };
}

/** Their rules are parsed as soon. */
const fewLines = 20;

const protocols = ['tcp', 'udp', 'sctp'] as const;

function portKey({ protocol, destinationPort }: EntranceLine): number {
  return protocols.indexOf(protocol) * 2 ** 16 + destinationPort;
}

function doorKey(entrance: EntranceLine, destination: number): number {
  return destination * 2 ** 18 + portKey(entrance);
}

function countOne(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
