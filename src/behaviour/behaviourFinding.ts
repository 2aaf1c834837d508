import type { ValueSet } from '../common/ranges/valueSet.ts';
import type { TracePacket } from '../trace/question/tracePacket.ts';
import type { Distribution } from './outcome/distribution.ts';
import type { DestinationName } from './packets/destinationNames.ts';
import type { Destination } from './packets/destinations.ts';
import type { SenderKind } from './packets/senderKinds.ts';

/** Packets that the two sides treat differently: from one entrance, to one destination. */
export interface BehaviourFinding {
  readonly entrance: SenderKind;
  readonly destination: Destination;
  readonly name: DestinationName;
  /** One of them. */
  readonly packet: TracePacket;
  /** The protocols of `other` destinations that show it. */
  readonly protocols: readonly number[];
  readonly sources: ValueSet;
  readonly a: Distribution;
  readonly b: Distribution;
  /** The finding that was walked for this one and all others of its shape. */
  readonly like?: BehaviourFinding;
}
