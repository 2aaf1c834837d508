import type { Family } from '../../../common/addresses/family.ts';
import { isIpv6SetName } from '../../ipset/proxySets.ts';
import { isServiceChain } from '../../proxyChains.ts';
import type { Rule, Table } from '../ast.ts';
import { hasWord, jumpOf } from '../ruleParts.ts';

/**
 * The family of the first rule that tells it: by an address, since 1.24 that of an endpoint in its comment too, by a set of
 * IPv6, by how it rejects or by ICMP; undefined: none does.
 */
export function guessFamily(tables: readonly Table[]): Family | undefined {
  for (const table of tables) {
    for (const rule of table.rules) {
      const family = familyOfRule(rule);
      if (family) {
        return family;
      }
    }
  }
  return undefined;
}

/**
 * The table of rules without one: the one with exactly these built-in chains; nat if anything in them exists only
 * there; otherwise the default, filter.
 */
export function guessTable(table: Pick<Table, 'chains' | 'rules'>): string {
  const isService =
    table.chains.some(({ name }) => isServiceChain(name)) ||
    table.rules.some(
      ({ chain, target }) => isServiceChain(chain) || (target !== undefined && natKinds.has(target.kind)),
    );
  if (isService) return 'nat';
  const builtin = new Set(table.chains.flatMap(({ name, policy }) => (policy === undefined ? [] : [name])));
  if (builtin.has('PREROUTING') && builtin.has('FORWARD')) return 'mangle';
  if (builtin.size === 2 && builtin.has('PREROUTING') && builtin.has('OUTPUT')) return 'raw';
  if (isOutputOfNat(table, builtin)) return 'nat';
  const isNat = [...table.chains.map(({ name }) => name), ...table.rules.map(({ chain }) => chain)].some(isNatHook);
  return isNat ? 'nat' : 'filter';
}

function familyOfRule({ chain, words, target }: Rule): Family | undefined {
  for (const word of words) {
    switch (word.kind) {
      case 'comment': {
        const endpoint = isServiceChain(chain) ? / -> (\[?[0-9a-f])/.exec(word.text)?.[1] : undefined;
        if (endpoint !== undefined) return endpoint.startsWith('[') ? 'ipv6' : 'ipv4';
        break;
      }
      case 'source':
      case 'destination':
        return word.address.includes(':') ? 'ipv6' : 'ipv4';
      case 'set':
        if (isIpv6SetName(word.set)) return 'ipv6';
        break;
      case 'recent':
        if (word.mask !== undefined) {
          return word.mask.includes(':') ? 'ipv6' : 'ipv4';
        }
        break;
      case 'other':
        if (word.name === 'icmp6' || word.name === 'icmp') {
          return word.name === 'icmp6' ? 'ipv6' : 'ipv4';
        }
        break;
    }
  }
  switch (target?.kind) {
    case 'reject':
      return target.with?.startsWith('icmp6-') ? 'ipv6' : target.with?.startsWith('icmp-') ? 'ipv4' : undefined;
    case 'dnat':
    case 'snat':
      return target.to.startsWith('[') ? 'ipv6' : /^\d+\.\d+\./.test(target.to) ? 'ipv4' : undefined;
    default:
      return undefined;
  }
}

/**
 * `iptables -t nat -S OUTPUT`: in every version the table nat jumps to KUBE-SERVICES for all packets, and from 1.8 on the
 * table filter only for new connections.
 */
function isOutputOfNat({ rules }: Pick<Table, 'rules'>, builtin: ReadonlySet<string>): boolean {
  if (builtin.size > 1 || rules.some(({ chain }) => chain !== 'OUTPUT')) return false;
  if (rules.some((rule) => jumpOf(rule) === 'KUBE-FIREWALL')) return false;
  return rules.some((rule) => jumpOf(rule) === 'KUBE-SERVICES' && !hasWord(rule, 'conntrack'));
}

/** mangle has these built-in chains too, but its rules are rarely shown alone. */
function isNatHook(name: string): boolean {
  return name === 'PREROUTING' || name === 'POSTROUTING';
}

const natKinds: ReadonlySet<string> = new Set(['dnat', 'snat', 'masquerade']);
