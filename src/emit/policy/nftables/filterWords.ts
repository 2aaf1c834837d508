import type { Family } from '../../../common/addresses/family.ts';
import type { Selector, Statement } from '../../../netfilter/nft/ast.ts';

/** The words of one family. */
export interface FilterWords {
  readonly family: Family;
  readonly tableFamily: 'ip' | 'ip6';
  readonly addressType: 'ipv4_addr' | 'ipv6_addr';
  readonly source: Selector;
  readonly destination: Selector;
}

export function filterWords(family: Family): FilterWords {
  const tableFamily = family === 'ipv4' ? 'ip' : 'ip6';
  return {
    family,
    tableFamily,
    addressType: family === 'ipv4' ? 'ipv4_addr' : 'ipv6_addr',
    source: { kind: 'payload', protocol: tableFamily, field: 'saddr' },
    destination: { kind: 'payload', protocol: tableFamily, field: 'daddr' },
  };
}

export const transportProtocol: Selector = { kind: 'meta', key: 'l4proto' };
export const destinationPort: Selector = { kind: 'payload', protocol: 'th', field: 'dport' };

export function concat(...parts: readonly Selector[]): Selector {
  return { kind: 'concat', parts };
}

export function inSet(left: Selector, name: string, operator: '==' | '!=' = '=='): Statement {
  return { kind: 'match', left, operator, right: { kind: 'namedSet', name } };
}

export function lookup(key: Selector, name: string): Statement {
  return { kind: 'vmap', key, map: { kind: 'namedMap', name } };
}

export function verdict(kind: 'accept' | 'drop' | 'return'): Statement {
  return { kind: 'verdict', verdict: { kind } };
}
