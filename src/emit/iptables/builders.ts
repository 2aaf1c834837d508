import type { IptablesDialect } from '../../dialect/iptables/iptablesDialect.ts';
import type { Target, Word } from '../../netfilter/iptables/ast.ts';
import { comment, jumpTo } from '../../netfilter/iptables/print/builders.ts';

/** Since 1.1 only: the mark of that version, the ASCII of "MASQ". */
export const inlineMark = 0x4d415351;

const allBits = 0xffffffff;

/** `-m tcp -p tcp -d IP --dport PORT` after a comment: traffic to one address and port. */
export function toAddress(text: string, protocol: string, address: string, port: number): Word[] {
  return [
    comment(text),
    { kind: 'transport', protocol, destinationPort: String(port) },
    { kind: 'protocol', protocol },
    { kind: 'destination', address },
  ];
}

/** Marks a packet for masquerading: through a chain that sets the mark, in 1.1 by the rule itself. */
export function markForMasquerade(dialect: IptablesDialect): Target {
  return dialect.masqueradeMark === 'inline'
    ? { kind: 'mark', operation: 'set-xmark', value: inlineMark, mask: allBits }
    : jumpTo('KUBE-MARK-MASQ');
}
