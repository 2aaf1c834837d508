import type { Protocol } from '../common/addresses/protocol.ts';
import type { OtherPolicy } from '../model/policyModel.ts';
import type { Party } from './parties/party.ts';
import { mergePorts, type ProtocolPorts } from './rules/resolveRule.ts';
import type { SideVerdict } from './sideVerdict.ts';
import type { Judge } from './verdict.ts';

/** The ports on which one party may open connections to another, by Kubernetes' own policies alone. */
export interface OpenPorts {
  /** Every protocol, also those without ports. */
  readonly isEverything: boolean;
  readonly ranges: readonly ProtocolPorts[];
  /** Those that may be open besides: facts are missing. */
  readonly perhaps: 'everything' | readonly ProtocolPorts[] | 'none';
  /** Policies of other kinds that decide too. */
  readonly others: readonly OtherPolicy[];
}

/**
 * Asks the judge once for every stretch of ports that the parties' policies tell apart: all ports of a stretch fare
 * alike.
 */
export function openPorts(judge: Judge, from: Party, to: Party): OpenPorts {
  const other = judge.judge({ from, to, protocol: 'other', port: 0 });
  const { others } = other;
  // A cluster-wide rule may deny single ports; without such rules what has no port is allowed by rules for everything.
  const policies = [...judge.policiesOf(from, 'egress'), ...judge.policiesOf(to, 'ingress')];
  const isRuled = policies.some(({ kind }) => kind === 'clusterPolicy');
  if (other.byRules === 'allowed' && !isRuled) return { isEverything: true, ranges: [], perhaps: 'none', others };
  // Most pairs of a cluster that denies by default: no need to ask port by port.
  const isShut = isShutToPeer(other.egress, from) || isShutToPeer(other.ingress, to);
  if (isShut && !isRuled) return { isEverything: false, ranges: [], perhaps: 'none', others };
  const borders = bordersOf(judge, from, to);
  const ranges: ProtocolPorts[] = [];
  const perhaps: ProtocolPorts[] = [];
  for (const protocol of protocols) {
    const starts = [...borders[protocol]].sort((a, b) => a - b);
    for (const [at, first] of starts.entries()) {
      const last = (starts[at + 1] ?? 65536) - 1;
      const { byRules } = judge.judge({ from, to, protocol, port: first });
      if (byRules === 'allowed') ranges.push({ protocol, first, last });
      if (byRules === 'unknown') perhaps.push({ protocol, first, last });
    }
  }
  const merged = mergePorts(ranges);
  const isEverything = other.byRules === 'allowed' && merged.length === 3 && merged.every(isWhole);
  const open = { isEverything, ranges: isEverything ? [] : merged, others };
  if (other.byRules === 'unknown') return { ...open, perhaps: 'everything' };
  return { ...open, perhaps: perhaps.length === 0 ? 'none' : mergePorts(perhaps) };
}

/** No rule names the peer, whatever the port; of a Pod without labels other policies may. */
function isShutToPeer(side: SideVerdict, { pods }: Party): boolean {
  if (side.kind !== 'denied' || side.why !== 'isolated') return false;
  return pods.every(({ hasKnownLabels }) => hasKnownLabels) && side.nearMisses.every(({ misses }) => misses === 'peer');
}

/** `all`, `none`, or `80/tcp, 3000-3003/udp`; what may be open ends with a question mark, all of it is one. */
export function openPortsText({ isEverything, ranges, perhaps, others }: OpenPorts): string {
  const doubt = others.length > 0 ? '?' : '';
  if (isEverything) return `all${doubt}`;
  const sure = ranges.map((range) => `${rangeText(range)}${doubt}`);
  const more =
    perhaps === 'everything' ? ['?'] : perhaps === 'none' ? [] : perhaps.map((range) => `${rangeText(range)}?`);
  const parts = [...sure, ...more];
  return parts.length === 0 ? `none${doubt}` : parts.join(', ');
}

function isWhole({ first, last }: ProtocolPorts): boolean {
  return first === 0 && last === 65535;
}

function rangeText({ protocol, first, last }: ProtocolPorts): string {
  const name = protocol.toLowerCase();
  if (isWhole({ protocol, first, last })) return `all ${name}`;
  return first === last ? `${first}/${name}` : `${first}-${last}/${name}`;
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
