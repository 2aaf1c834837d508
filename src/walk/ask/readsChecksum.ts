import type { Field } from '../../netfilter/meaning.ts';
import type { Flow } from '../flow.ts';

/** `th dport` reads where ICMP has its checksum, which a walk does not know; `tcp dport` asks for the protocol first. */
export function readsChecksum({ packet }: Flow, field: Field): boolean {
  return field === 'destinationPort' && packet.icmp !== undefined;
}
