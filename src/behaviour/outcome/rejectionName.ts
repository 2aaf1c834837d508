import type { Rejection } from '../../netfilter/meaning.ts';
import { errorOf } from '../../walk/hooks/errorOf.ts';

/** What a client sees of a rejection, in the words of recordings: `tcp-reset`, `icmp 3/3`, `icmpv6 1/4`. */
export function rejectionName(by: Rejection, isV6: boolean): string {
  if (by.kind === 'reset') return 'tcp-reset';
  return `${isV6 ? 'icmpv6' : 'icmp'} ${errorOf(by, isV6).join('/')}`;
}
