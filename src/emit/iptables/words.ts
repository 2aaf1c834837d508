import type { Dialect } from '../../dialect/dialect.ts';
import type { Match, Target, Word } from '../../netfilter/iptables/ast.ts';

/** Since 1.1 only: the mark of that version, the ASCII of "MASQ". */
export const inlineMark = 0x4d415351;

const allBits = 0xffffffff;

/** A comment as kube-proxy quotes it. */
export function comment(text: string): Match {
  return { kind: 'comment', text };
}

/** A comment of one word, which kube-proxy writes without quotes. */
export function bareComment(text: string): Match {
  return { kind: 'comment', text, isBare: true };
}

/** `-m tcp -p tcp -d IP --dport PORT` behind a comment: traffic to one address and port. */
export function toAddress(text: string, protocol: string, address: string, port: number): Word[] {
  return [
    comment(text),
    { kind: 'transport', protocol, destinationPort: String(port) },
    { kind: 'protocol', protocol },
    { kind: 'destination', address },
  ];
}

/** `-m tcp -p tcp --dport PORT`: traffic to a port of any address. */
export function toPort(protocol: string, port: number): Word[] {
  return [
    { kind: 'transport', protocol, destinationPort: String(port) },
    { kind: 'protocol', protocol },
  ];
}

/** Traffic to, or from, an address that is local to the node. */
export function addressType(side: 'src-type' | 'dst-type'): Match {
  return { kind: 'addrtype', options: [{ name: side, values: ['LOCAL'] }] };
}

export function connectionState(states: string, negated = false): Match {
  return {
    kind: 'conntrack',
    options: [negated ? { name: 'ctstate', negated, values: [states] } : { name: 'ctstate', values: [states] }],
  };
}

export function jumpTo(chain: string): Target {
  return { kind: 'jump', chain };
}

/** Marks a packet for masquerading: by a chain that sets the mark, in 1.1 by the rule itself. */
export function markForMasquerade(dialect: Dialect): Target {
  return dialect.masqueradeMark === 'inline'
    ? { kind: 'mark', operation: 'set-xmark', value: inlineMark, mask: allBits }
    : jumpTo('KUBE-MARK-MASQ');
}
