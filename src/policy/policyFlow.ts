import type { Protocol } from '../common/addresses/protocol.ts';
import type { Direction } from '../model/netPolicy.ts';
import type { Party } from './parties/party.ts';

/** One side of a connection that is judged. */
export interface Side {
  readonly direction: Direction;
  readonly subject: Party;
  readonly other: Party;
  readonly flow: PolicyFlow;
}

/** The first packet of a connection, behind the translation of Services: the port is the receiver's own. */
export interface PolicyFlow {
  readonly from: Party;
  readonly to: Party;
  /** `other`: no policy can name it, only rules without ports cover it. */
  readonly protocol: Protocol | 'ICMP' | 'other';
  /** 0 where the protocol has no ports. */
  readonly port: number;
  /** The sender dialled a Service. */
  readonly isViaService?: boolean;
}
