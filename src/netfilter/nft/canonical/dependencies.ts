import { protocolNumber } from '../../iptables/values/protocols.ts';
import type { Condition } from '../../meaning.ts';
import type { Selector } from '../ast.ts';

/**
 * Conditions that nft adds and does not print: `tcp dport` implies TCP, `ip saddr` implies IPv4, and `ct` may imply a
 * packet with a connection.
 */
export function dependencies(selector: Selector, family: string): readonly Condition[] {
  switch (selector.kind) {
    case 'concat':
      return selector.parts.flatMap((part) => dependencies(part, family));
    case 'ct':
      // Only of connections that another one led to is there a helper.
      if (selector.key === 'helper') return [hasConnection, { kind: 'status', statuses: ['expected'] }];
      return selector.key === 'state' ? [] : [hasConnection];
    case 'meta': {
      if (selector.key === 'rtclassid') return [{ kind: 'hasRoute' }];
      const [, side] = /^([io])if(?:type|group)$/.exec(selector.key) ?? [];
      return side === undefined ? [] : [{ kind: 'hasDevice', side: side === 'i' ? 'in' : 'out' }];
    }
    case 'rt': {
      const [own] = selector.key.split(' ');
      return [...(own === 'ip' || own === 'ip6' ? ofFamily(own, family) : []), { kind: 'hasRoute' }];
    }
    case 'tcpOption':
      return [{ kind: 'values', field: 'protocol', ranges: [{ first: 6, last: 6 }] }];
    case 'payload':
      return payloadDependencies(selector.protocol, family);
    default:
      return [];
  }
}

function ofFamily(protocol: 'ip' | 'ip6', family: string): readonly Condition[] {
  const number = protocol === 'ip' ? 2 : 10;
  return family === protocol ? [] : [{ kind: 'values', field: 'family', ranges: [{ first: number, last: number }] }];
}

function payloadDependencies(protocol: string, family: string): readonly Condition[] {
  if (protocol === 'ip' || protocol === 'ip6') return ofFamily(protocol, family);
  const number = Number(protocolNumber(protocol));
  return protocol === 'th' || Number.isNaN(number)
    ? []
    : [{ kind: 'values', field: 'protocol', ranges: [{ first: number, last: number }] }];
}

const hasConnection: Condition = { kind: 'not', condition: { kind: 'state', states: ['invalid', 'untracked'] } };
