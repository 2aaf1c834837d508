import { serviceChainKind } from '../../netfilter/proxyChains.ts';
import type { RuleTable } from '../../node/nodeRules.ts';
import { iptablesBase } from './iptablesBase.ts';
import type { WalkChain, WalkTable } from './walkInput.ts';

/** Base chains that the dump does not show, with the calls that they must have. */
export function calledChains(table: RuleTable, walked: WalkTable | undefined): readonly WalkChain[] {
  return (callers[table.name] ?? []).flatMap(([name, targets]): readonly WalkChain[] => {
    const base = iptablesBase(table.name, name, 'ACCEPT');
    const called = targets.filter((target) => table.chains.has(target) || isLeftOut(target, table));
    if (table.chains.has(name) || base === undefined || called.length === 0) return [];
    const chain: WalkChain = {
      table: walked as WalkTable,
      name,
      base,
      rules: () =>
        called.map((target, at) => ({
          chain,
          number: at + 1,
          text: `-A ${name} -j ${target}`,
          steps: [{ kind: 'jump', chain: target }],
        })),
    };
    return [chain];
  });
}

/** In a part with chains of Services or node ports this leads to them: what it takes is unknown instead of nothing. */
function isLeftOut(target: string, { name, chains }: RuleTable): boolean {
  if (name !== 'nat' || target !== 'KUBE-SERVICES') return false;
  for (const chain of chains.keys())
    if (chain === 'KUBE-NODEPORTS' || serviceChainKind(chain) !== undefined) return true;
  return false;
}

/** The calls of kube-proxy's chains on a node, for dumps that show only these chains (`iptables-save | grep KUBE`). */
const callers: Readonly<Record<string, readonly (readonly [base: string, chains: readonly string[]])[]>> = {
  nat: [
    ['PREROUTING', ['KUBE-SERVICES']],
    ['OUTPUT', ['KUBE-SERVICES']],
    ['POSTROUTING', ['KUBE-POSTROUTING']],
  ],
  filter: [
    [
      'INPUT',
      [
        'KUBE-IPVS-FILTER',
        'KUBE-PROXY-FIREWALL',
        'KUBE-NODE-PORT',
        'KUBE-NODEPORTS',
        'KUBE-EXTERNAL-SERVICES',
        'KUBE-FIREWALL',
      ],
    ],
    ['FORWARD', ['KUBE-PROXY-FIREWALL', 'KUBE-FORWARD', 'KUBE-SERVICES', 'KUBE-EXTERNAL-SERVICES']],
    ['OUTPUT', ['KUBE-IPVS-OUT-FILTER', 'KUBE-PROXY-FIREWALL', 'KUBE-SERVICES', 'KUBE-FIREWALL']],
  ],
};
