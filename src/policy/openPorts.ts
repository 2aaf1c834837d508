import type { Protocol } from '../common/protocol.ts';
import { mergePorts, type ProtocolPorts } from './resolveRule.ts';
import type { Judge, Party } from './verdict.ts';

/** The ports on which one party may open connections to another. */
export interface OpenPorts {
  /** Every protocol, also those without ports. */
  readonly isEverything: boolean;
  readonly ranges: readonly ProtocolPorts[];
}

/**
 * Asks the judge once for every stretch of ports that the parties' policies tell apart: all ports of a stretch fare
 * alike.
 */
export function openPorts(judge: Judge, from: Party, to: Party): OpenPorts {
  const other = judge.judge({ from, to, protocol: 'other', port: 0 });
  if (other.isAllowed) return { isEverything: true, ranges: [] };
  const borders = bordersOf(judge, from, to);
  const ranges: ProtocolPorts[] = [];
  for (const protocol of protocols) {
    const starts = [...borders[protocol]].sort((a, b) => a - b);
    for (const [at, first] of starts.entries()) {
      const last = (starts[at + 1] ?? 65536) - 1;
      if (judge.judge({ from, to, protocol, port: first }).isAllowed) ranges.push({ protocol, first, last });
    }
  }
  return { isEverything: false, ranges: mergePorts(ranges) };
}

/** `all`, `none`, or `80/tcp, 3000-3003/udp`. */
export function openPortsText({ isEverything, ranges }: OpenPorts): string {
  if (isEverything) return 'all';
  if (ranges.length === 0) return 'none';
  return ranges
    .map(({ protocol, first, last }) => {
      const name = protocol.toLowerCase();
      if (first === 0 && last === 65535) return `all ${name}`;
      return first === last ? `${first}/${name}` : `${first}-${last}/${name}`;
    })
    .join(', ');
}

const protocols = ['TCP', 'UDP', 'SCTP'] as const satisfies readonly Protocol[];

function bordersOf(judge: Judge, from: Party, to: Party): Readonly<Record<Protocol, ReadonlySet<number>>> {
  const borders: Record<Protocol, Set<number>> = { TCP: new Set([0]), UDP: new Set([0]), SCTP: new Set([0]) };
  const add = (protocol: Protocol, first: number, last: number) => {
    borders[protocol].add(first);
    if (last < 65535) borders[protocol].add(last + 1);
  };
  for (const { protocol, port } of to.pods.flatMap((pod) => pod.namedPorts)) add(protocol, port, port);
  for (const [party, direction] of [[from, 'egress'] as const, [to, 'ingress'] as const]) {
    for (const policy of judge.policiesOf(party, direction)) {
      for (const port of (policy[direction] ?? []).flatMap((rule) => rule.ports ?? [])) {
        if (port.kind === 'range') add(port.protocol, port.first, port.last);
      }
    }
  }
  return borders;
}
