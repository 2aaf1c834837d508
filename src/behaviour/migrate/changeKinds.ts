import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { type ModeChangeCode, modeChanges } from '../../problems/catalogue/modeChanges.ts';
import type { BehaviourFinding } from '../behaviourFinding.ts';
import type { Distribution } from '../outcome/distribution.ts';
import type { AddressKind } from '../packets/destinationNames.ts';
import { isStoppedByRanges } from './isStoppedByRanges.ts';
import type { ServiceTraits } from './serviceTraits.ts';

/** A difference between two modes, and what is known about its Service. */
export interface Change {
  readonly finding: BehaviourFinding;
  readonly from: ProxyMode;
  readonly to: ProxyMode;
  /** Words of both outcomes. */
  readonly before: string;
  readonly after: string;
  readonly isLoopback: boolean;
  readonly traits: ServiceTraits | undefined;
}

/** A difference that modes are known for. */
export interface ChangeKind {
  readonly code: ModeChangeCode;
  /** What to do about this one; the catalogue has what is known about its kind. */
  readonly advice?: (change: Change) => string | undefined;
  readonly is: (change: Change) => boolean;
}

const icmp: ReadonlySet<number> = new Set([1, 58]);
const virtual: ReadonlySet<AddressKind> = new Set(['clusterIP', 'loadBalancerIP', 'externalIP']);
const balanced: ReadonlySet<AddressKind> = new Set(['loadBalancerIP', 'externalIP']);

/** All known kinds between iptables, IPVS and nftables mode. The first match counts. */
export const changeKinds: readonly ChangeKind[] = [
  {
    code: 'ping',
    advice: () => modeChanges.ping.fix,
    is: ({ finding }) => isUnusedPort(finding) && finding.protocols.every((protocol) => icmp.has(protocol)),
  },
  {
    code: 'unused-port',
    is: ({ finding }) => isUnusedPort(finding),
  },
  {
    code: 'unallocated',
    advice: ({ to }) => (modeFacts[to].dropsUnallocated ? modeChanges.unallocated.fix : undefined),
    is: ({ finding: { name, destination }, from, to, before, after }) =>
      name.service === undefined &&
      destination.use === 'other' &&
      (modeFacts[from].dropsUnallocated ? before : modeFacts[to].dropsUnallocated ? after : '') === 'dropped',
  },
  {
    code: 'node-port-localhost',
    advice: ({ from }) => (modeFacts[from].opensLocalhost ? modeChanges['node-port-localhost'].fix : undefined),
    is: ({ finding: { name, destination }, isLoopback }) =>
      isLoopback && destination.use === 'port' && name.kind === 'nodePort',
  },
  {
    code: 'node-port-address',
    advice: ({ to }) =>
      modeFacts[to].nodePortsByDefault === 'primaryAddress'
        ? 'To keep them on all addresses, set nodePortAddresses to 0.0.0.0/0 and ::/0 before the switch.'
        : 'To keep them on the primary address, set nodePortAddresses (from 1.31 on `primary`) before the switch.',
    is: ({ finding: { name, destination }, before, after }) =>
      destination.use === 'port' &&
      (name.kind === 'nodePort' || name.kind === 'node') &&
      (before === 'comes to the node') !== (after === 'comes to the node'),
  },
  {
    code: 'remote-hairpin',
    is: ({ finding: { entrance }, before, after }) =>
      entrance === 'remote-endpoint' && isSource(before) && isSource(after),
  },
  {
    code: 'masquerade-address',
    advice: () => modeChanges['masquerade-address'].fix,
    is: ({ finding: { a, b }, after }) => after === 'other shares' && sourcesOf(a) !== sourcesOf(b),
  },
  {
    code: 'masquerade',
    advice: () => modeChanges.masquerade.fix,
    is: ({ before, after }) => isSource(before) && isSource(after),
  },
  {
    code: 'affinity',
    is: ({ before }) => before.includes('affinity'),
  },
  {
    code: 'internal-local',
    is: ({ finding: { name }, traits }) => name.kind === 'clusterIP' && traits?.isInternalLocal === true,
  },
  {
    code: 'external-and-balancer',
    advice: () => modeChanges['external-and-balancer'].fix,
    is: ({ finding: { name }, traits }) =>
      balanced.has(name.kind) && traits?.sharesAddress === true && traits.hasSourceRanges,
  },
  {
    code: 'no-endpoints-from-node',
    is: ({ finding: { name, entrance }, before, after }) =>
      balanced.has(name.kind) && entrance === 'node' && isPair(before, after, 'leaves untranslated', 'refused'),
  },
  {
    code: 'ranges-without-endpoints',
    is: ({ finding: { name }, before, after, traits }) =>
      balanced.has(name.kind) && traits?.hasSourceRanges === true && isPair(before, after, 'refused', 'dropped'),
  },
  {
    code: 'source-ranges-one-side',
    advice: ({ after }) =>
      after === 'answered'
        ? 'Go to a version in which the ranges hold, or keep these clients out by a firewall in front of the node, before the switch.'
        : 'Clients that the ranges leave out lose their answer with the switch: see whether any of them is needed.',
    is: ({ finding: { name, a, b }, before, after, traits }) =>
      balanced.has(name.kind) &&
      traits?.hasSourceRanges === true &&
      isPair(before, after, 'dropped', 'answered') &&
      isStoppedByRanges(before === 'dropped' ? a : b),
  },
  {
    code: 'external-local-inside',
    is: ({ finding: { name, entrance }, traits }) =>
      (balanced.has(name.kind) || name.kind === 'nodePort') && traits?.isExternalLocal === true && isInside(entrance),
  },
  {
    code: 'external-local-outside',
    advice: ({ from }) => (modeFacts[from].sendsLocalElsewhere ? modeChanges['external-local-outside'].fix : undefined),
    is: ({ finding: { name }, traits }) =>
      (balanced.has(name.kind) || name.kind === 'nodePort') && traits?.isExternalLocal === true,
  },
  {
    code: 'source-ranges',
    is: ({ finding: { name }, traits }) => balanced.has(name.kind) && traits?.hasSourceRanges === true,
  },
  {
    code: 'balance',
    is: ({ after }) => after === 'other shares',
  },
  {
    code: 'refusal',
    is: ({ after }) => after === 'refused otherwise',
  },
];

/** A port that the Service does not have, at one of its addresses; IPVS mode looks for node ports there too. */
function isUnusedPort({ name, destination }: BehaviourFinding): boolean {
  return virtual.has(name.kind) && (destination.use === 'other' || name.isServicePort !== true);
}

function isSource(words: string): boolean {
  return /^(?:masqueraded|own source)/.test(words);
}

function isPair(one: string, other: string, a: string, b: string): boolean {
  return (one === a && other === b) || (one === b && other === a);
}

function isInside(entrance: string): boolean {
  return entrance !== 'outside' && entrance !== 'other-node';
}

function sourcesOf({ outcomes }: Distribution): string {
  return [...new Set([...outcomes.values()].map(({ outcome }) => String(outcome.source)))].sort().join();
}
