import { familyOf } from '../../common/addresses/ip.ts';
import type { LabParty } from '../labCluster.ts';
import type { SocketProtocol } from '../network/labNetwork.ts';

/** A question that the lab answers by connections: who answers this client there? */
export interface LabProbe {
  readonly from: LabParty;
  /** Which of the client's addresses it sends from; default: what its routes choose. */
  readonly source?: string;
  readonly to: string;
  /** Undefined: of ICMP. */
  readonly port: number | undefined;
  readonly protocol: SocketProtocol | 'icmp';
  /** The Service that is asked, `shop/web:http`, and by which of its addresses. */
  readonly service?: string;
  readonly entrance?: EntranceKind;
}

export type EntranceKind = 'cluster IP' | 'external IP' | 'load balancer' | 'node port';

/** The address that the client sends from: its first of the family. Undefined: it has none. */
export function sourceOf({ from, source, to }: Pick<LabProbe, 'from' | 'source' | 'to'>): string | undefined {
  const family = familyOf(to);
  const known = source === undefined ? from.addresses : [source];
  return known.find((address) => familyOf(address) === family);
}
