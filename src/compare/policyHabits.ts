import { linesOf } from '../node/chainLines.ts';
import type { RuleTable } from '../node/nodeRules.ts';
import { linesOfPolicies } from './comparePolicies.ts';

/** Settings of whoever wrote rules of policies, as the rules show them: they are in no manifest. */
export interface PolicyHabits {
  readonly deny: 'reject' | 'drop';
  readonly icmp: 'allow' | 'policy';
  readonly hairpin: 'allow' | 'policy';
  readonly hook: 'postrouting' | 'forward';
  readonly unknownPods: 'deny' | 'allow';
  readonly logGroup?: number;
  readonly serviceCIDRs?: readonly string[];
  /** The rules let traffic to addresses that IPVS serves pass at the input hook. */
  readonly isBehindIpvs: boolean;
}

/** Of a filter table of iptables, or of our table of nftables. */
export function policyHabits(table: RuleTable): PolicyHabits {
  const isNft = table.nft !== undefined;
  const text = isNft
    ? nftText(table)
    : linesOfPolicies(table)
        .map((line) => line.text)
        .join('\n');
  const group = /(?:--nflog-group|group) (\d+)/.exec(text)?.[1];
  const ranges = [...text.matchAll(/ -d (\S+) .*"allow traffic to primary\/secondary cluster IP range/g)];
  return {
    deny: /-j REJECT|\breject\b/.test(text) ? 'reject' : 'drop',
    icmp: /allow icmp echo requests|echo-request/.test(text) ? 'allow' : 'policy',
    hairpin: /"to itself"|^set self$/m.test(text) ? 'allow' : 'policy',
    hook: /hook postrouting/.test(text) ? 'postrouting' : 'forward',
    unknownPods: /unprogrammed local pod|^set local-pods$/m.test(text) ? 'deny' : 'allow',
    isBehindIpvs: text.includes('behind the translation of IPVS'),
    ...(group === undefined ? {} : { logGroup: Number(group) }),
    ...(ranges.length === 0 ? {} : { serviceCIDRs: ranges.map(([, cidr = '']) => cidr) }),
  };
}

function nftText({ chains }: RuleTable): string {
  return [...chains.values()].flatMap((chain) => [chain.name, ...linesOf(chain)]).join('\n');
}
