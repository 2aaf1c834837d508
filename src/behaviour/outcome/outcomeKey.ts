import type { Rejection } from '../../netfilter/meaning.ts';
import { errorOf } from '../../walk/hooks/errorOf.ts';
import type { BehaviourOutcome } from './outcome.ts';

/**
 * The sender of a packet cannot distinguish two outcomes with one key. A UDP packet to a process of the node stands for
 * the ICMP error of a closed port: rules that reject it send the same. A dropped packet and one without a route both
 * get no reply.
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
