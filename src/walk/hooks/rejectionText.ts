import type { Rejection } from '../../netfilter/meaning.ts';
import type { Flow } from '../flow.ts';

/** What a rejection tells the sender: `tcp-reset`, `icmp 3/3`, `icmpv6 1/4`. */
export function rejectionText(rejection: Rejection, flow: Flow): string {
  if (rejection.kind === 'reset') return 'tcp-reset';
  const isV6 = typeof flow.packet.source[0]?.first === 'bigint';
  const [type, code] = isV6 ? rejection.v6 : rejection.v4;
  return `${isV6 ? 'icmpv6' : 'icmp'} ${type}/${code}`;
}
