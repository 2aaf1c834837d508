import type { Family } from '../../common/addresses/family.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import type { ConnectionState } from '../../netfilter/meaning.ts';

/** One packet that a trace is about, with everything decided that the question left open. */
export interface TracePacket {
  readonly family: Family;
  /** Number of the transport protocol. */
  readonly protocol: number;
  readonly source: Value;
  /** Undefined: any. */
  readonly sourcePort: number | undefined;
  readonly destination: Value;
  readonly destinationPort: number | undefined;
  readonly origin: 'local' | 'forwarded';
  readonly inInterface: string | undefined;
  readonly inPort: string | undefined;
  /** Letters of S A F R P U. */
  readonly flags: string | undefined;
  readonly state: ConnectionState | undefined;
  readonly mark: number;
}
