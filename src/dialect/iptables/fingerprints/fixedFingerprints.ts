import { commentOf, hasWord, jumpOf } from '../../../netfilter/iptables/ruleParts.ts';
import { chainPrefixes, isKubeName } from '../../../netfilter/proxyChains.ts';
import type { IptablesDialect } from '../iptablesDialect.ts';
import type { DumpedChains } from './dumpedChains.ts';
import type { FindFingerprints, IptablesFingerprint } from './fingerprint.ts';

/** Fingerprints in the rules that every node has, whatever its Services. */
export const fixedFingerprints: readonly FindFingerprints[] = [
  canary,
  postrouting,
  masqueradeMarks,
  fixedChains,
  absentChains,
  jumps,
  forwardRules,
  invalidDrop,
  localnetGuard,
  nfacct,
];

function canary({ chains }: DumpedChains): IptablesFingerprint[] {
  const isThere = ['mangle', 'nat', 'filter'].some((table) => chains.has(`${table} KUBE-PROXY-CANARY`));
  return isThere ? [{ seen: 'chain KUBE-PROXY-CANARY', allows: (dialect) => dialect.hasCanary }] : [];
}

function postrouting({ rules, ownTables, chains }: DumpedChains): IptablesFingerprint[] {
  const own = rules.get('nat KUBE-POSTROUTING') ?? [];
  if (own.some((rule) => jumpOf(rule) === 'RETURN' || rule.target?.kind === 'mark')) {
    return [{ seen: 'KUBE-POSTROUTING takes the mark off', allows: (dialect) => dialect.postrouting === 'three' }];
  }
  const single = own.find((rule) => rule.target?.kind === 'masquerade' && hasWord(rule, 'mark'));
  if (single?.target?.kind === 'masquerade') {
    const isRandom = single.target.isRandomFully === true;
    return [
      {
        seen: `KUBE-POSTROUTING is one rule${isRandom ? ' with --random-fully' : ''}`,
        allows: (dialect) => dialect.postrouting === (isRandom ? 'singleRandomFully' : 'single'),
      },
    ];
  }
  if (ownTables.has('nat') && !chains.has('nat KUBE-POSTROUTING')) {
    return [{ seen: 'no chain KUBE-POSTROUTING', allows: (dialect) => dialect.postrouting === 'inline' }];
  }
  return [];
}

/** 1.1 sets its mark in every rule; later versions jump to a chain that does. */
function masqueradeMarks({ rules, inChains }: DumpedChains): IptablesFingerprint[] {
  const own = [
    ...(rules.get('nat KUBE-SERVICES') ?? []),
    ...(rules.get('nat KUBE-NODEPORTS') ?? []),
    ...inChains('nat', chainPrefixes.endpoint),
  ];
  if (own.some((rule) => rule.target?.kind === 'mark')) {
    return [{ seen: 'rules that set the mark themselves', allows: (dialect) => dialect.masqueradeMark === 'inline' }];
  }
  return own.some((rule) => jumpOf(rule) === 'KUBE-MARK-MASQ')
    ? [{ seen: 'jumps to KUBE-MARK-MASQ', allows: (dialect) => dialect.masqueradeMark !== 'inline' }]
    : [];
}

/** Chains that kube-proxy writes under any cluster, by the filter table's list. */
function fixedChains({ chains, ownTables }: DumpedChains): IptablesFingerprint[] {
  const found: IptablesFingerprint[] = [];
  for (const name of ['KUBE-FORWARD', 'KUBE-EXTERNAL-SERVICES', 'KUBE-NODEPORTS', 'KUBE-PROXY-FIREWALL']) {
    if (chains.has(`filter ${name}`)) {
      found.push({ seen: `filter chain ${name}`, allows: (dialect) => dialect.filterChains.includes(name) });
    } else if (ownTables.has('filter')) {
      found.push({ seen: `no filter chain ${name}`, allows: (dialect) => !dialect.filterChains.includes(name) });
    }
  }
  return found;
}

function absentChains({ chains, wholeTables }: DumpedChains): IptablesFingerprint[] {
  if (!wholeTables.has('nat') || chains.has('nat KUBE-MARK-DROP')) return [];
  return [{ seen: 'no chain KUBE-MARK-DROP', allows: (dialect) => !dialect.ensuresMarkDrop }];
}

/** Jumps from built-in chains: each one that is there must be one of the version's, and in a whole table none lacks. */
function jumps({ rules, wholeTables }: DumpedChains): IptablesFingerprint[] {
  const found: IptablesFingerprint[] = [];
  const seen = new Set<string>();
  const keysOf = jumpKeys();
  for (const table of ['filter', 'nat']) {
    for (const from of ['INPUT', 'FORWARD', 'OUTPUT', 'PREROUTING', 'POSTROUTING']) {
      for (const rule of rules.get(`${table} ${from}`) ?? []) {
        const to = jumpOf(rule);
        const comment = commentOf(rule);
        if (to === undefined || !isKubeName(to) || comment === undefined || !comment.startsWith('kubernetes '))
          continue;
        const key = jumpKey(table, from, to, hasWord(rule, 'conntrack'), comment);
        if (seen.has(key)) continue;
        seen.add(key);
        found.push({ seen: `jump ${key}`, allows: (dialect) => keysOf(dialect).has(key) });
      }
    }
  }
  for (const table of wholeTables) {
    // kubelet jumps to KUBE-FIREWALL without a comment too, so those are left out.
    found.push({
      seen: `the jumps of table ${table}`,
      allows: (dialect) => [...keysOf(dialect)].every((key) => !key.startsWith(`${table} `) || seen.has(key)),
    });
  }
  return found;
}

/** Many versions have the same jumps, and each is asked for each jump. */
function jumpKeys(): (dialect: IptablesDialect) => ReadonlySet<string> {
  const known = new Map<IptablesDialect['jumps'], ReadonlySet<string>>();
  return ({ jumps }) => {
    const keys =
      known.get(jumps) ??
      new Set(
        jumps
          .filter(({ comment }) => comment !== '')
          .map(({ table, from, to, onlyNew, comment }) => jumpKey(table, from, to, onlyNew, comment)),
      );
    known.set(jumps, keys);
    return keys;
  };
}

function jumpKey(table: string, from: string, to: string, onlyNew: boolean, comment: string): string {
  return `${table} ${from} to ${to}${onlyNew ? ' for new connections' : ''}: ${comment}`;
}

function forwardRules({ rules, ownTables }: DumpedChains): IptablesFingerprint[] {
  const own = rules.get('filter KUBE-FORWARD');
  if (own === undefined) return [];
  const known = own.filter((rule) => commentOf(rule)?.startsWith('kubernetes forwarding conntrack '));
  if (known.some((rule) => hasWord(rule, 'source') || hasWord(rule, 'destination'))) {
    return [{ seen: 'KUBE-FORWARD names the cluster CIDR', allows: (dialect) => dialect.forward === 'cidrPair' }];
  }
  if (known.some((rule) => commentOf(rule) === 'kubernetes forwarding conntrack rule')) {
    return [{ seen: 'one conntrack rule in KUBE-FORWARD', allows: (dialect) => dialect.forward === 'one' }];
  }
  if (known.length > 0) {
    return [{ seen: 'conntrack rules without CIDR in KUBE-FORWARD', allows: (dialect) => dialect.forward === 'pair' }];
  }
  return ownTables.has('filter')
    ? [{ seen: 'no conntrack rules in KUBE-FORWARD', allows: (dialect) => dialect.forward === 'cidrPair' }]
    : [];
}

function invalidDrop({ rules, ownTables }: DumpedChains): IptablesFingerprint[] {
  const own = rules.get('filter KUBE-FORWARD');
  if (own === undefined) return [];
  const drops = own.some((rule) => jumpOf(rule) === 'DROP');
  if (drops) return [{ seen: 'INVALID packets are dropped', allows: (_, plan) => plan.invalidDrop !== 'no' }];
  return ownTables.has('filter')
    ? [{ seen: 'INVALID packets are not dropped', allows: (_, plan) => plan.invalidDrop !== 'yes' }]
    : [];
}

/** kubelet made KUBE-FIREWALL too, through 1.27, which drops marked packets: where it is at work, the chain tells nothing. */
function localnetGuard({ chains, rules, wholeTables, hasKubelet }: DumpedChains): IptablesFingerprint[] {
  const dropsMarked = rules.get('filter KUBE-FIREWALL')?.some((rule) => hasWord(rule, 'mark'));
  if (!wholeTables.has('filter') || hasKubelet || dropsMarked || chains.has('nat KUBE-MARK-DROP')) return [];
  const isThere = chains.has('filter KUBE-FIREWALL');
  return [
    {
      seen: `${isThere ? '' : 'no '}chain KUBE-FIREWALL`,
      allows: (dialect) => dialect.guardsLocalnet === isThere,
    },
  ];
}

function nfacct({ rules, inChains }: DumpedChains): IptablesFingerprint[] {
  const counted = [...(rules.get('filter KUBE-FORWARD') ?? []), ...inChains('nat', 'KUBE-NODEPORTS')];
  return counted.some((rule) => hasWord(rule, 'nfacct'))
    ? [{ seen: 'nfacct counters', allows: (dialect) => dialect.countsInvalid || dialect.countsLocalhostNodePorts }]
    : [];
}
