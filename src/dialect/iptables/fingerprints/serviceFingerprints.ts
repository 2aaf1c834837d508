import type { Rule } from '../../../netfilter/iptables/ast.ts';
import { commentOf, hasWord, jumpOf, matchOf } from '../../../netfilter/iptables/ruleParts.ts';
import { chainPrefixes, serviceChainKind } from '../../../netfilter/proxyChains.ts';
import type { DumpedChains } from './dumpedChains.ts';
import type { FindFingerprints, IptablesFingerprint } from './fingerprint.ts';

/** Fingerprints in the rules of cluster IPs and endpoints. */
export const serviceFingerprints: readonly FindFingerprints[] = [
  servicePortColon,
  probabilityDigits,
  clusterMasquerade,
  balanceComments,
  endpointComments,
  affinitySeconds,
  rejectRules,
];

/** `ns/name: cluster IP` against `ns/name cluster IP`; and bare comments of rules that always have one. */
function servicePortColon({ rules, inChains }: DumpedChains): IptablesFingerprint[] {
  const comments = ['nat KUBE-SERVICES', 'nat KUBE-NODEPORTS', 'filter KUBE-SERVICES', 'filter KUBE-EXTERNAL-SERVICES']
    .flatMap((chain) => rules.get(chain) ?? [])
    .concat(inChains('nat', chainPrefixes.endpoint))
    .map((rule) => commentOf(rule) ?? '');
  const name = /^[a-z0-9.-]+\/[a-z0-9.-]+(:?)(?:$| (?:cluster|external|loadbalancer) IP$| has no )/;
  const found: IptablesFingerprint[] = [];
  if (comments.some((comment) => name.exec(comment)?.[1] === ':')) {
    found.push({
      seen: 'a colon behind a Service without port name',
      allows: (_, plan) => plan.servicePortColon === 'always',
    });
  }
  if (comments.some((comment) => name.exec(comment)?.[1] === '')) {
    found.push({
      seen: 'no colon behind a Service without port name',
      allows: (_, plan) => plan.servicePortColon === 'onlyNamed',
    });
  }
  return found;
}

/** 1/n of five digits and of ten are different numbers to the kernel, for most n. */
function probabilityDigits({ inChains }: DumpedChains): IptablesFingerprint[] {
  const found: IptablesFingerprint[] = [];
  for (const prefix of [chainPrefixes.balance, chainPrefixes.localBalance, chainPrefixes.localExternal]) {
    for (const rule of inChains('nat', prefix)) {
      const statistic = matchOf(rule, 'statistic');
      const probability = statistic?.mode === 'random' ? Number(statistic.probability) : Number.NaN;
      const n = Math.round(1 / probability);
      if (!(n >= 2 && n < 5000)) continue;
      const isShort = isClose(probability, Number((1 / n).toFixed(5)));
      const isLong = isClose(probability, Number((1 / n).toFixed(10)));
      if (isShort === isLong) continue;
      found.push({
        seen: `probabilities of ${isShort ? 'five' : 'ten'} digits`,
        allows: (dialect) => dialect.probabilityDigits === (isShort ? 5 : 10),
      });
      return found;
    }
  }
  return found;
}

/** Within the kernel's own steps of 2^-31. */
function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-9;
}

function clusterMasquerade({ rules, inChains, ownTables }: DumpedChains): IptablesFingerprint[] {
  const isClusterIP = (rule: Rule) => commentOf(rule)?.endsWith(' cluster IP') === true && !hasWord(rule, 'mark');
  const marks = (rule: Rule) => isClusterIP(rule) && jumpOf(rule) === 'KUBE-MARK-MASQ';
  const fromOutside = (rule: Rule) => marks(rule) && (hasWord(rule, 'source') || hasWord(rule, 'inInterface'));
  const services = rules.get('nat KUBE-SERVICES') ?? [];
  if (services.some(fromOutside)) {
    const isRepeated = services.some((rule) => marks(rule) && !fromOutside(rule));
    const repeats: readonly IptablesFingerprint[] = isRepeated
      ? [{ seen: 'all masqueraded, and what comes from outside again', allows: (dialect) => dialect.repeatsMasquerade }]
      : [];
    return [
      ...repeats,
      {
        seen: 'masquerading of cluster IPs in KUBE-SERVICES',
        allows: (dialect, plan) => plan.masqueradesOffCluster && dialect.clusterMasquerade === 'services',
      },
    ];
  }
  if (services.some(marks)) {
    return [
      {
        seen: 'masquerading of cluster IPs in KUBE-SERVICES',
        allows: (dialect) => dialect.clusterMasquerade === 'services',
      },
    ];
  }
  if ([...inChains('nat', chainPrefixes.balance), ...inChains('nat', chainPrefixes.localBalance)].some(marks)) {
    return [
      {
        seen: "masquerading of cluster IPs in the Service's chain",
        allows: (dialect) => dialect.clusterMasquerade === 'svc' || dialect.clusterMasquerade === 'part',
      },
    ];
  }
  // With a cluster CIDR in KUBE-FORWARD the rule would have been there.
  const hasCidr = (rules.get('filter KUBE-FORWARD') ?? []).some((rule) => hasWord(rule, 'source'));
  return ownTables.has('nat') && hasCidr && services.some(isClusterIP)
    ? [{ seen: 'no masquerading of cluster IPs', allows: (_, plan) => !plan.masqueradesOffCluster }]
    : [];
}

function balanceComments({ inChains }: DumpedChains): IptablesFingerprint[] {
  const balancing = inChains('nat', chainPrefixes.balance).filter(
    (rule) => serviceChainKind(jumpOf(rule) ?? '') === 'endpoint',
  );
  if (balancing.some((rule) => commentOf(rule)?.includes(' -> '))) {
    return [{ seen: 'comments that name the endpoint', allows: (dialect) => dialect.balanceComment === 'endpoint' }];
  }
  if (balancing.some((rule) => commentOf(rule) !== undefined)) {
    return [
      {
        seen: 'comments that name the Service in KUBE-SVC',
        allows: (dialect) => dialect.balanceComment === 'servicePort',
      },
    ];
  }
  if (balancing.length === 0) return [];
  return [
    {
      seen: 'no comments in KUBE-SVC',
      allows: (dialect) => dialect.balanceComment === 'none' || dialect.largeClusterDropsComments !== 'never',
    },
  ];
}

function endpointComments({ inChains }: DumpedChains): IptablesFingerprint[] {
  const own = inChains('nat', chainPrefixes.endpoint);
  if (own.some((rule) => commentOf(rule) !== undefined)) {
    return [{ seen: 'comments in KUBE-SEP', allows: (dialect) => dialect.endpointComment === 'servicePort' }];
  }
  if (own.length === 0) return [];
  return [
    {
      seen: 'no comments in KUBE-SEP',
      allows: (dialect) => dialect.endpointComment === 'none' || dialect.largeClusterDropsComments !== 'never',
    },
  ];
}

function affinitySeconds({ inChains }: DumpedChains): IptablesFingerprint[] {
  const recent = [
    ...inChains('nat', chainPrefixes.balance),
    ...inChains('nat', chainPrefixes.localExternal),
    ...inChains('nat', chainPrefixes.localBalance),
  ]
    .map((rule) => matchOf(rule, 'recent'))
    .find((match) => match?.seconds !== undefined);
  const seconds = recent?.seconds;
  if (seconds === undefined) return [];
  return [
    {
      seen: `affinity of ${seconds} s`,
      allows: (_, plan) => plan.affinitySeconds === 'field' || plan.affinitySeconds === seconds,
    },
  ];
}

function rejectRules({ rules, ownTables }: DumpedChains): IptablesFingerprint[] {
  const found: IptablesFingerprint[] = [];
  for (const chain of ['KUBE-SERVICES', 'KUBE-EXTERNAL-SERVICES'] as const) {
    const own = (rules.get(`filter ${chain}`) ?? []).filter((rule) => rule.target?.kind === 'reject');
    if (own.some((rule) => hasWord(rule, 'addrtype'))) {
      found.push({ seen: `node ports are refused in ${chain}`, allows: (dialect) => dialect.rejectNodePort === chain });
    }
    if (own.some((rule) => hasWord(rule, 'destination'))) {
      found.push({
        seen: `addresses are refused in ${chain}`,
        allows: (dialect) =>
          [dialect.rejectClusterIP, dialect.rejectExternalIP, dialect.rejectLoadBalancerIP].includes(chain),
      });
    }
  }
  if (ownTables.has('filter')) {
    if (isOpen(rules, 'nat KUBE-NODEPORTS', 'addrtype', () => true))
      found.push({
        seen: 'node ports without endpoints that are not refused',
        allows: (dialect) => dialect.rejectNodePort === 'none',
      });
    if (isOpen(rules, 'nat KUBE-SERVICES', 'destination', (rule) => commentOf(rule)?.endsWith(' external IP') === true))
      found.push({
        seen: 'external IPs without endpoints that are not refused',
        allows: (dialect) => dialect.rejectExternalIP === 'none',
      });
  }
  return found;
}

/**
 * Traffic to the cluster IP of a Service port is refused for want of endpoints, and that to another kind of address, which
 * has rules in a chain of nat, is not. `by`: what rules that refuse such addresses have.
 */
function isOpen(
  rules: DumpedChains['rules'],
  chain: string,
  by: 'addrtype' | 'destination',
  isMeant: (rule: Rule) => boolean,
): boolean {
  const refused = (rules.get('filter KUBE-SERVICES') ?? []).filter(({ target }) => target?.kind === 'reject');
  const elsewhere = (rules.get('filter KUBE-EXTERNAL-SERVICES') ?? []).filter(
    ({ target }) => target?.kind === 'reject',
  );
  const names = new Set(refused.filter((rule) => !hasWord(rule, 'addrtype')).map(nameIn));
  const keys = new Set(
    [...refused, ...elsewhere].filter((rule) => hasWord(rule, by)).map((rule) => addressIn(rule, by)),
  );
  return (rules.get(chain) ?? [])
    .filter(isMeant)
    .some((rule) => nameIn(rule) !== '' && names.has(nameIn(rule)) && !keys.has(addressIn(rule, by)));
}

function nameIn(rule: Rule): string {
  return (commentOf(rule) ?? '').split(' ', 1)[0] as string;
}

/** A Service port with its address, or alone. */
function addressIn(rule: Rule, by: 'addrtype' | 'destination'): string {
  const word = by === 'addrtype' ? undefined : rule.words.find(({ kind }) => kind === 'destination');
  return `${nameIn(rule)} ${word?.kind === 'destination' ? word.address : ''}`;
}
