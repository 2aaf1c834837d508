import type { ConntrackState, Match, MatchOption, SetSide, Target, Word } from '../ast.ts';

/**
 * Matches and targets in the spelling of the programs that write rules, which kube-proxy, kube-router and IPVS mode
 * share.
 */

/** A comment in quotes. */
export function comment(text: string): Match {
  return { kind: 'comment', text };
}

/** A comment of one word, which kube-proxy writes without quotes. */
export function bareComment(text: string): Match {
  return { kind: 'comment', text, isBare: true };
}

/** `-s ADDRESS`. */
export function from(address: string): Word {
  return { kind: 'source', address };
}

/** `-d ADDRESS`. */
export function to(address: string): Word {
  return { kind: 'destination', address };
}

/** `-m tcp -p tcp --dport PORT`: traffic to a port of any address. */
export function toPort(protocol: string, port: number): Word[] {
  return [
    { kind: 'transport', protocol, destinationPort: String(port) },
    { kind: 'protocol', protocol },
  ];
}

/** Traffic from, or to, an address that is local to the node; negated: that is not. */
export function addressType(side: 'src-type' | 'dst-type', negated = false): Match {
  const option = { name: side, types: ['LOCAL'] } as const;
  return { kind: 'addrtype', options: [negated ? { ...option, negated } : option] };
}

/** The state of the packet's connection is one of these; negated: none of them. */
export function connectionState(states: readonly ConntrackState[], negated = false): Match {
  const option = { name: 'ctstate', states } as const;
  return { kind: 'conntrack', options: [negated ? { ...option, negated } : option] };
}

/** The packet goes from one port of a bridge to another. */
export const isBridged: Match = { kind: 'physdev', options: [{ name: 'physdev-is-bridged' }] };

/** The packet did not come in by a port of a bridge. */
export const isNotFromBridge: Match = { kind: 'physdev', options: [{ name: 'physdev-is-in', negated: true }] };

/** `-m set --match-set NAME dst,dst`. */
export function inSet(set: string, sides: readonly SetSide[], negated = false): Match {
  return negated ? { kind: 'set', negated, set, sides } : { kind: 'set', set, sides };
}

/** A match that has no type of its own. */
export function otherMatch(name: string, ...options: readonly MatchOption[]): Match {
  return { kind: 'other', name, options };
}

export function option(name: string, ...values: readonly string[]): MatchOption {
  return { name, values };
}

export function jumpTo(chain: string): Target {
  return { kind: 'jump', chain };
}
