import { hostOfCidr } from '../../common/addresses/hostOfCidr.ts';
import { canonicalIp } from '../../common/addresses/ip.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { commentOf } from '../../netfilter/iptables/ruleParts.ts';
import { isUntracking } from '../isUntracking.ts';
import type { NodeRules, ToolRules } from '../nodeRules.ts';
import { pickRules } from '../pickRules.ts';

/**
 * Addresses at which NodeLocal DNSCache answers on the node, according to its rules: packets to port 53 of these
 * addresses are not tracked, and neither are the replies. Its own interface has the addresses, among them the cluster
 * IP of kube-dns.
 */
export function dnsCacheAddresses({ iptables }: NodeRules): readonly string[] {
  return [...new Set(iptables.flatMap((set) => addressesIn(set)))];
}

function addressesIn(set: ToolRules): readonly string[] {
  const chains = set.tables.get('raw')?.chains;
  if (chains === undefined) return [];
  const untracked = (chain: string) =>
    [...pickRules(chains.get(chain), set.family, { holds: ['NOTRACK', 'notrack'] })].flatMap(({ rule }) =>
      isUntracking(rule) ? [rule] : [],
    );
  const answering = new Set(untracked('OUTPUT').flatMap((rule) => endOf(rule, 'source')));
  return untracked('PREROUTING').flatMap((rule) =>
    endOf(rule, 'destination').filter((ip) => answering.has(ip) || /NodeLocal DNS/i.test(commentOf(rule) ?? '')),
  );
}

/** The address in a rule for DNS traffic to it, or from it. */
function endOf({ words }: Rule, side: 'source' | 'destination'): readonly string[] {
  let ip: string | undefined;
  let isDns = false;
  for (const word of words) {
    if (word.kind === side && !word.negated) ip = canonicalIp(hostOfCidr(word.address));
    if (word.kind === 'transport') isDns ||= (side === 'source' ? word.sourcePort : word.destinationPort) === '53';
  }
  return ip !== undefined && isDns ? [ip] : [];
}
