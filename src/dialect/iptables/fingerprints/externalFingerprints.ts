import { commentOf, hasWord, jumpOf } from '../../../netfilter/iptables/ruleParts.ts';
import { chainPrefixes, type ServiceChainKind, serviceChainKind } from '../../../netfilter/proxyChains.ts';
import type { DumpedChains } from './dumpedChains.ts';
import type { FindFingerprints, IptablesFingerprint } from './fingerprint.ts';

/** Fingerprints in the rules for traffic from outside: node ports, external IPs, load balancers. */
export const externalFingerprints: readonly FindFingerprints[] = [
  externalChains,
  nodePortRules,
  localBalanceComments,
  firewallEnd,
  noLocalDrop,
  externalIPRules,
  xlbLocalRules,
  loopbackMasquerade,
];

function externalChains({ chains, rules }: DumpedChains): IptablesFingerprint[] {
  const kinds = new Set<ServiceChainKind | undefined>();
  const note = (chain: string) => kinds.add(serviceChainKind(chain));
  for (const chain of chains) if (chain.startsWith('nat ')) note(chain.slice(4));
  for (const [chain, own] of rules) {
    if (!chain.startsWith('nat ')) continue;
    note(chain.slice(4));
    for (const rule of own) note(jumpOf(rule) ?? '');
  }
  const found: IptablesFingerprint[] = [];
  if (kinds.has('localExternal')) {
    found.push({ seen: 'a chain KUBE-XLB-…', allows: (dialect) => dialect.external === 'xlb' });
  }
  if (kinds.has('external') || kinds.has('localBalance')) {
    found.push({ seen: 'a chain KUBE-EXT-… or KUBE-SVL-…', allows: (dialect) => dialect.external === 'ext' });
  }
  if (kinds.has('firewall')) {
    found.push({ seen: 'a chain KUBE-FW-…', allows: (dialect) => dialect.external !== 'svc' });
  }
  const jumpsToLoadBalancer = (rules.get('nat KUBE-SERVICES') ?? []).filter(
    (rule) => commentOf(rule)?.endsWith(' loadbalancer IP') && serviceChainKind(jumpOf(rule) ?? '') === 'balance',
  );
  if (jumpsToLoadBalancer.length > 0) {
    found.push({
      seen: 'load-balancer addresses lead straight to KUBE-SVC',
      allows: (dialect) => dialect.external === 'svc',
    });
  }
  return found;
}

function nodePortRules({ rules, inChains }: DumpedChains): IptablesFingerprint[] {
  const own = rules.get('nat KUBE-NODEPORTS') ?? [];
  const found: IptablesFingerprint[] = [];
  if (own.some((rule) => serviceChainKind(jumpOf(rule) ?? '') === 'balance')) {
    found.push({ seen: 'node ports lead to KUBE-SVC', allows: (dialect) => dialect.external !== 'ext' });
    const isMarked = own.some((rule) => jumpOf(rule) === 'KUBE-MARK-MASQ' && !hasWord(rule, 'source'));
    if (isMarked) {
      found.push({
        seen: 'node ports are marked in KUBE-NODEPORTS',
        allows: (dialect) => dialect.clusterMasquerade === 'services',
      });
    }
  }
  const inService = inChains('nat', chainPrefixes.balance).some(
    (rule) => jumpOf(rule) === 'KUBE-MARK-MASQ' && hasWord(rule, 'transport') && !hasWord(rule, 'destination'),
  );
  if (inService) {
    found.push({
      seen: 'node ports are marked in KUBE-SVC',
      allows: (dialect) => dialect.clusterMasquerade === 'svc',
    });
  }
  return found;
}

function localBalanceComments({ inChains }: DumpedChains): IptablesFingerprint[] {
  const balancing = inChains('nat', chainPrefixes.localExternal).filter(
    (rule) => serviceChainKind(jumpOf(rule) ?? '') === 'endpoint' && !hasWord(rule, 'recent'),
  );
  const commented = balancing.find((rule) => commentOf(rule) !== undefined);
  if (commented === undefined) return [];
  const isNumbered = commentOf(commented)?.startsWith('Balancing rule ') === true;
  return [
    {
      seen: `KUBE-XLB counts its rules${isNumbered ? '' : ' no more'}`,
      allows: (dialect) => dialect.localBalanceComment === (isNumbered ? 'numbered' : 'servicePort'),
    },
  ];
}

function firewallEnd({ inChains, rules }: DumpedChains): IptablesFingerprint[] {
  const own = inChains('nat', chainPrefixes.firewall);
  const found: IptablesFingerprint[] = [];
  if (own.some((rule) => jumpOf(rule) === 'KUBE-MARK-DROP')) {
    found.push({ seen: 'KUBE-FW marks for dropping', allows: (dialect) => dialect.firewallEnd === 'mark drop' });
  } else if (own.some((rule) => rule.target === undefined)) {
    found.push({ seen: 'KUBE-FW ends with a comment', allows: (dialect) => dialect.firewallEnd === 'comment' });
  }
  if ((rules.get('filter KUBE-PROXY-FIREWALL') ?? []).length > 0) {
    found.push({ seen: 'rules in KUBE-PROXY-FIREWALL', allows: (dialect) => dialect.filtersFirewall });
    if (own.length > 0 && own.every((rule) => rule.target !== undefined)) {
      found.push({ seen: 'KUBE-FW ends without a comment', allows: (dialect) => dialect.firewallEnd === 'nothing' });
    }
  }
  return found;
}

function noLocalDrop({ rules }: DumpedChains): IptablesFingerprint[] {
  const found: IptablesFingerprint[] = [];
  for (const [chain, own] of rules) {
    if (!own.some((rule) => commentOf(rule)?.endsWith(' has no local endpoints'))) continue;
    const isFilter = chain.startsWith('filter ');
    found.push({
      seen: `"has no local endpoints" in the ${isFilter ? 'filter' : 'nat'} table`,
      allows: (dialect) => (dialect.noLocalEndpoints === 'filter drop') === isFilter,
    });
    break;
  }
  return found;
}

function externalIPRules({ rules }: DumpedChains): IptablesFingerprint[] {
  const own = (rules.get('nat KUBE-SERVICES') ?? []).filter((rule) => commentOf(rule)?.endsWith(' external IP'));
  if (own.length === 0) return [];
  const hasPhysdev = own.some((rule) => hasWord(rule, 'physdev'));
  return [
    {
      seen: hasPhysdev ? 'external IPs look at the bridge port' : 'one jump for an external IP',
      allows: (dialect) => dialect.externalIP === (hasPhysdev ? 'physdev' : 'single'),
    },
  ];
}

function xlbLocalRules({ inChains, ownTables }: DumpedChains): IptablesFingerprint[] {
  const own = inChains('nat', chainPrefixes.localExternal);
  if (own.length === 0) return [];
  const local = own.findIndex((rule) => commentOf(rule)?.startsWith('masquerade LOCAL traffic') === true);
  if (local === -1) {
    // A fragment may have lost them; the rule for pods next to the balancing says that they never were there.
    const isWhole = ownTables.has('nat') || own.some((rule) => commentOf(rule)?.startsWith('Redirect pods') === true);
    return isWhole
      ? [{ seen: "no rules for the node's traffic in KUBE-XLB", allows: (_, plan) => !plan.nodeBypassesLocal }]
      : [];
  }
  const pods = own.findIndex((rule) => commentOf(rule)?.startsWith('Redirect pods') === true);
  if (pods === -1) {
    return [{ seen: "rules for the node's traffic in KUBE-XLB", allows: (_, plan) => plan.nodeBypassesLocal }];
  }
  return [
    {
      seen: `rules for the node's traffic in KUBE-XLB, ${local < pods ? 'before' : 'after'} those for Pods`,
      allows: (dialect, plan) =>
        plan.nodeBypassesLocal && dialect.xlbLocalRules === (local < pods ? 'before' : 'after'),
    },
  ];
}

function loopbackMasquerade({ rules }: DumpedChains): IptablesFingerprint[] {
  const own = rules.get('nat KUBE-NODEPORTS') ?? [];
  const isLocal = own.some((rule) => serviceChainKind(jumpOf(rule) ?? '') === 'localExternal');
  if (!isLocal) return [];
  const masquerades = own.some((rule) => jumpOf(rule) === 'KUBE-MARK-MASQ' && hasWord(rule, 'source'));
  return [
    {
      seen: `loopback clients of Local node ports are${masquerades ? '' : ' not'} masqueraded`,
      allows: (_, plan) => plan.masqueradesLoopbackNodePort === masquerades,
    },
  ];
}
