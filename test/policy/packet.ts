import type { Protocol } from '../../src/common/addresses/protocol.ts';

/** The first packet of a connection, at one node. */
export interface Packet {
  readonly source: string;
  readonly destination: string;
  readonly protocol: Protocol;
  readonly port: number;
  /** Its source is an address of the node that looks at it. */
  readonly isFromNode: boolean;
}
