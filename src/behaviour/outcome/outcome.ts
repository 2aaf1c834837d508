import type { Value } from '../../common/ranges/valueRange.ts';
import { onlyValue } from '../../common/ranges/valueSet.ts';
import type { Rejection } from '../../netfilter/meaning.ts';
import type { Flow, WalkEvent } from '../../walk/flow.ts';
import type { Ended } from '../../walk/hooks/walkHook.ts';
import type { WalkChain, WalkRule } from '../../walk/input/walkInput.ts';
import { trailItems } from '../../walk/values/trail.ts';

/** What people can observe of a packet: where it arrives, with which source, or what comes back instead. */
export interface BehaviourOutcome {
  readonly kind:
    | 'arrives'
    /** It leaves the node for its original destination. */
    | 'leaves'
    /** A process of the node gets it, if one listens there. */
    | 'node'
    | 'refused'
    | 'dropped'
    | 'unroutable'
    | 'unknown';
  /** If it arrives somewhere. */
  readonly at?: { readonly address: Value | undefined; readonly port: Value | undefined };
  readonly source?: Value;
  /**
   * The source is not the sender's: usually it is the node's. Undefined address: that of an interface that was not
   * given.
   */
  readonly isMasqueraded?: boolean;
  /** It arrives at an address of the node itself: what comes there is not masqueraded. */
  readonly isAtNode?: true;
  /** For `refused`. */
  readonly by?: Rejection;
  /** For `unroutable` and `unknown`. */
  readonly why?: string;
  /** The same sender gets to the same endpoint again, for this many milliseconds; undefined: it is not remembered. */
  readonly staysFor?: number;
  /** The deciding rule: the last one that translated, rejected or dropped. Worked out only for output. */
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
      const isAtNode = kind === 'arrives' && end.kind === 'delivered';
      return {
        kind,
        at,
        ...(value !== undefined && { source: value }),
        isMasqueraded,
        ...(isAtNode && { isAtNode }),
        ...decided,
      };
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

function isOtherDestination({ packet, entry }: Flow): boolean {
  if (packet.destination === entry.destination && packet.destinationPort === entry.destinationPort) return false;
  return (
    onlyValue(packet.destination) !== onlyValue(entry.destination) ||
    (packet.destinationPort && onlyValue(packet.destinationPort)) !==
      (entry.destinationPort && onlyValue(entry.destinationPort))
  );
}

/** The rule that ended the packet's way or set its destination; undefined: no rule did. */
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
