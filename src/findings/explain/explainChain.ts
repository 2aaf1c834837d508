import type { ChainDiff } from '../../compare/compareSets.ts';
import { isKubeName, serviceChainKind } from '../../netfilter/proxyChains.ts';
import { explainBalance, explainEndpoint } from './explainBalance.ts';
import { explainEntrances, explainRefusals } from './explainEntrances.ts';
import {
  explainExternal,
  explainForward,
  explainGuard,
  explainJumps,
  explainMarkDrop,
  explainMasquerading,
  explainRanges,
  isBuiltin,
} from './explainFixedChains.ts';
import { explainAddresses, explainIpvs, explainIpvsFilter, explainSets } from './explainIpvs.ts';
import { explainPortals } from './explainPortals.ts';
import { explainSetRules, leavesLoopback } from './explainSetRules.ts';
import { type ExplainContext, type Explained, explainWith } from './explainWith.ts';
import { jumpTarget } from './jumpTarget.ts';
import { explainNftables } from './nft/explainNftables.ts';
import type { RuleDifference } from './ruleDifferences.ts';
import type { ServiceIndex } from './serviceIndex.ts';

/** What the differences of one chain mean; those without a particular meaning stay changes. */
export function explainChain(diff: ChainDiff, index: ServiceIndex): Explained {
  return explainWith(diff, index, explainerOf(diff));
}

function explainerOf({ table, chain, foundSet }: ChainDiff): (context: ExplainContext) => void {
  switch (foundSet.kind) {
    case 'nftables':
      return explainNftables;
    case 'ipset':
      return explainSets;
    case 'ipvs':
      return explainIpvs;
    case 'addresses':
      return explainAddresses;
    case 'iptables':
  }
  if (isBuiltin(table, chain)) return explainJumps;
  const kind = serviceChainKind(chain) ?? chain;
  return (table === 'filter' ? filterChains : natChains)[kind] ?? (() => {});
}

const natChains: Readonly<Record<string, (context: ExplainContext) => void>> = {
  'KUBE-SERVICES': (context) => {
    const isOfSets = ({ rule }: RuleDifference) =>
      rule.words.some((word) => word.kind === 'set' && isKubeName(word.set)) ||
      jumpTarget(rule) === 'KUBE-NODE-PORT' ||
      leavesLoopback(rule);
    explainSetRules({ ...context, items: context.items.filter(isOfSets) });
    explainEntrances({ ...context, items: context.items.filter((item) => !isOfSets(item)) });
  },
  'KUBE-NODE-PORT': explainSetRules,
  'KUBE-LOAD-BALANCER': (context) => {
    const isOfRanges = ({ rule }: RuleDifference) => jumpTarget(rule) === 'KUBE-FIREWALL';
    explainRanges({ ...context, items: context.items.filter(isOfRanges) });
    explainSetRules({ ...context, items: context.items.filter((item) => !isOfRanges(item)) });
  },
  'KUBE-FIREWALL': explainRanges,
  'KUBE-NODEPORTS': explainEntrances,
  'KUBE-POSTROUTING': explainMasquerading,
  'KUBE-MARK-MASQ': explainMasquerading,
  'KUBE-MARK-DROP': explainMarkDrop,
  balance: explainBalance,
  localBalance: explainBalance,
  localExternal: explainBalance,
  endpoint: explainEndpoint,
  external: explainExternal,
  firewall: explainRanges,
  'KUBE-PORTALS-CONTAINER': explainPortals,
  'KUBE-PORTALS-HOST': explainPortals,
  'KUBE-NODEPORT-CONTAINER': explainPortals,
  'KUBE-NODEPORT-HOST': explainPortals,
};

const filterChains: Readonly<Record<string, (context: ExplainContext) => void>> = {
  'KUBE-SERVICES': explainRefusals,
  'KUBE-EXTERNAL-SERVICES': explainRefusals,
  'KUBE-NODEPORTS': explainRefusals,
  'KUBE-NODE-PORT': explainSetRules,
  'KUBE-SOURCE-RANGES-FIREWALL': explainRanges,
  'KUBE-FORWARD': explainForward,
  'KUBE-IPVS-FILTER': explainIpvsFilter,
  'KUBE-IPVS-OUT-FILTER': explainIpvsFilter,
  'KUBE-FIREWALL': explainGuard,
  'KUBE-PROXY-FIREWALL': explainRanges,
  'KUBE-NODEPORT-NON-LOCAL': explainPortals,
};
