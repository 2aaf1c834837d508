import type { Rejection, Value } from '../netfilter/meaning.ts';
import { type Flow, trailItems, type WalkEvent } from '../walk/flow.ts';
import { onlyValue } from '../walk/valueSet.ts';
import { errorOf } from '../walk/walkFlow.ts';
import type { Ended } from '../walk/walkHook.ts';
import type { WalkChain, WalkRule } from '../walk/walkInput.ts';

/** What people can observe of a packet: where it gets to, with whose address, or what comes back instead. */
export interface BehaviourOutcome {
  readonly kind:
    | 'arrives'
    /** It leaves the node for the address that it came with. */
    | 'leaves'
    /** A process of the node gets it, if one listens there. */
    | 'node'
    | 'refused'
    | 'dropped'
    | 'unroutable'
    | 'unknown';
  /** Of what gets somewhere. */
  readonly at?: { readonly address: Value | undefined; readonly port: Value | undefined };
  readonly source?: Value;
  /** The source is another than the sender's: the node's, mostly. Undefined address: of an interface that was not given. */
  readonly isMasqueraded?: boolean;
  /** Of `refused`. */
  readonly by?: Rejection;
  /** Of `unroutable` and `unknown`. */
  readonly why?: string;
  /** The same sender gets to the same endpoint again, for so many milliseconds; undefined: it is not remembered. */
  readonly staysFor?: number;
  /** The rule that decided: the last one that translated, refused or dropped. Worked out for those that are shown. */
  readonly decidedBy?: () => DecidingRule;
}

export interface DecidingRule {
  readonly chain: WalkChain;
  /** Undefined: the policy of the chain. */
  readonly rule: WalkRule | undefined;
}

export function outcomeOf({ flow, end }: Ended): BehaviourOutcome {
  const decidedBy = decidingRule(flow);
  const decided = decidedBy && { decidedBy: () => decidedBy };
  switch (end.kind) {
    case 'leaves':
    case 'bridged':
    case 'delivered': {
      const { destination, destinationPort, source } = flow.packet;
      const isTranslated = isOtherDestination(flow);
      const at = { address: onlyValue(destination), port: destinationPort && onlyValue(destinationPort) };
      const value = onlyValue(source);
      const isMasqueraded = source !== flow.entry.source && value !== onlyValue(flow.entry.source);
      const kind = isTranslated ? 'arrives' : end.kind === 'delivered' ? 'node' : 'leaves';
      return { kind, at, ...(value !== undefined && { source: value }), isMasqueraded, ...decided };
    }
    case 'rejected':
      return { kind: 'refused', by: end.rejection, ...decided };
    case 'dropped':
      return { kind: 'dropped', ...decided };
    case 'unroutable':
    case 'unknown':
      return { kind: end.kind, why: end.why, ...decided };
  }
}

/**
 * Two outcomes with one key cannot be told apart by whoever sent the packet. A UDP packet to a process of the node stands
 * for the ICMP error of a closed port: rules that refuse it send the same. What is dropped and what finds no route both
 * come to nothing.
 */
export function outcomeKey(outcome: BehaviourOutcome, protocol: number, isV6: boolean): string {
  const again = outcome.staysFor === undefined ? '' : ' again';
  switch (outcome.kind) {
    case 'arrives':
      return `arrives ${outcome.at?.address} ${outcome.at?.port ?? ''} ${outcome.source ?? '?'}${again}`;
    case 'leaves':
      return `leaves ${outcome.at?.address} ${outcome.at?.port ?? ''} ${outcome.source ?? '?'}`;
    case 'node':
      return protocol === 17 ? refusedKey(closedUdp, isV6) : `node ${outcome.at?.address} ${outcome.at?.port ?? ''}`;
    case 'refused':
      return refusedKey(outcome.by ?? { kind: 'reset' }, isV6);
    case 'dropped':
    case 'unroutable':
      return 'nothing';
    case 'unknown':
      return `unknown ${outcome.why}`;
  }
}

const closedUdp: Rejection = { kind: 'icmp', v4: [3, 3], v6: [1, 4] };

function refusedKey(by: Rejection, isV6: boolean): string {
  return by.kind === 'reset' ? 'refused reset' : `refused ${errorOf(by, isV6).join('/')}`;
}

function isOtherDestination({ packet, entry }: Flow): boolean {
  if (packet.destination === entry.destination && packet.destinationPort === entry.destinationPort) return false;
  return (
    onlyValue(packet.destination) !== onlyValue(entry.destination) ||
    (packet.destinationPort && onlyValue(packet.destinationPort)) !==
      (entry.destinationPort && onlyValue(entry.destinationPort))
  );
}

/** The rule that ended the packet's way or gave it its destination; undefined: no rule did. */
function decidingRule({ path }: Flow): DecidingRule | undefined {
  let translated: WalkEvent | undefined;
  const events = trailItems(path);
  const last = events.at(-1);
  for (const event of events)
    if (event.action?.startsWith('dnat') || event.action?.startsWith('redirect')) translated = event;
  if (last !== undefined && (last.verdict === 'drop' || last.policy === 'drop')) {
    return { chain: last.chain, rule: last.rule };
  }
  return translated && { chain: translated.chain, rule: translated.rule };
}
