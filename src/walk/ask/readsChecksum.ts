import type { Field } from '../../netfilter/meaning.ts';
import type { Flow } from '../flow.ts';

/** `th dport` reads the place of ICMP's checksum, which a walk does not know; `tcp dport` checks the protocol first. */
export function readsChecksum({ packet }: Flow, field: Field): boolean {
  return field === 'destinationPort' && packet.icmp !== undefined;
}
