import type { Family } from '../../common/addresses/family.ts';
import { ipv6SetName, isIpv6SetName } from '../../netfilter/ipset/proxySets.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { hasWord, jumpOf, matchOf } from '../../netfilter/iptables/ruleParts.ts';
import type { DumpedRules } from '../dumpedRules.ts';
import type { Fingerprint as FingerprintOf } from '../fingerprint.ts';
import { type DumpedChains, dumpedChains } from '../iptables/fingerprints/dumpedChains.ts';
import type { IpvsDialect } from './ipvsDialect.ts';
import { ipvsSets, type SetKey } from './ipvsSets.ts';

type IpvsFingerprint = FingerprintOf<IpvsDialect>;

/** What tells versions of IPVS mode apart: the sets that ipset shows, and the rules beside them. */
export function ipvsFingerprints({ iptables, ipsets }: DumpedRules): readonly IpvsFingerprint[] {
  // Each family by itself: its rules are counted.
  const facts = iptables.map((ruleset) => dumpedChains([ruleset]));
  return [...sets(ipsets), ...facts.flatMap((of) => finders.flatMap((find) => [...find(of)]))];
}

const finders: readonly ((facts: DumpedChains) => readonly IpvsFingerprint[])[] = [
  chainLines,
  ownChains,
  markDrop,
  postrouting,
  forwardRules,
  loopbackClients,
  sctpNodePorts,
  accessFilter,
];

/** Every version makes its sets even if they stay empty, so all of them show. */
function sets(ipsets: DumpedRules['ipsets']): readonly IpvsFingerprint[] {
  const found: IpvsFingerprint[] = [];
  for (const names of [setsByName('ipv4'), setsByName('ipv6')]) {
    const keys = ipsets.flatMap(({ name }) => names.get(name) ?? []);
    if (!keys.includes('clusterIP') || !keys.includes('loopBack')) continue;
    const sorted = [...new Set(keys)].sort().join(' ');
    const newest = ipvsSets[keys.at(-1) as SetKey].name;
    found.push({
      seen: `${keys.length} sets, the last of them ${newest}`,
      allows: (dialect) => [...dialect.sets].sort().join(' ') === sorted,
    });
  }
  if (ipsets.some(({ name }) => isIpv6SetName(name))) {
    found.push({ seen: 'sets KUBE-6-…', allows: (dialect) => dialect.namesIPv6Sets });
  }
  return found;
}

function setsByName(family: Family): ReadonlyMap<string, SetKey> {
  return new Map(
    Object.entries(ipvsSets).map(([key, { name }]) => [family === 'ipv4' ? name : ipv6SetName(name), key as SetKey]),
  );
}

/** The first text of old versions declares KUBE-POSTROUTING again and again, and none of the other chains. */
function chainLines({ chains, rules }: DumpedChains): readonly IpvsFingerprint[] {
  if (!chains.has('nat KUBE-POSTROUTING') || chains.has('nat KUBE-SERVICES') || !rules.has('nat KUBE-SERVICES')) {
    return [];
  }
  return [
    { seen: 'no chain line but KUBE-POSTROUTING', allows: (dialect) => dialect.natChainLines === 'allPostrouting' },
  ];
}

/** Where a table shows its chains, it shows all; KUBE-MARK-DROP may be kubelet's. */
function ownChains({ chains }: DumpedChains): readonly IpvsFingerprint[] {
  const isListed = chains.has('nat KUBE-SERVICES') && chains.has('nat KUBE-LOAD-BALANCER');
  if (!isListed) return [];
  const declared = (table: string) =>
    [...chains].filter((chain) => chain.startsWith(`${table} KUBE-`)).map((chain) => chain.slice(table.length + 1));
  const found: IpvsFingerprint[] = [];
  for (const [table, axis, known] of [
    ['nat', 'natChains', [...natNames]],
    ['filter', 'filterChains', [...filterNames]],
  ] as const) {
    const own = declared(table).filter((chain) => (known as readonly string[]).includes(chain));
    if (own.length === 0) continue;
    const sorted = [...own].sort().join(' ');
    found.push({
      seen: `${table} chains ${own.join(', ')}`,
      allows: (dialect) =>
        dialect[axis]
          .filter((chain) => chain !== 'KUBE-MARK-DROP')
          .sort()
          .join(' ') === sorted,
    });
  }
  return found;
}

const natNames = [
  'KUBE-SERVICES',
  'KUBE-POSTROUTING',
  'KUBE-FIREWALL',
  'KUBE-NODE-PORT',
  'KUBE-LOAD-BALANCER',
  'KUBE-MARK-MASQ',
] as const;
const filterNames = [
  'KUBE-FORWARD',
  'KUBE-NODE-PORT',
  'KUBE-PROXY-FIREWALL',
  'KUBE-SOURCE-RANGES-FIREWALL',
  'KUBE-IPVS-FILTER',
  'KUBE-IPVS-OUT-FILTER',
] as const;

function markDrop({ wholeTables, chains }: DumpedChains): readonly IpvsFingerprint[] {
  if (!wholeTables.has('nat') || chains.has('nat KUBE-MARK-DROP')) return [];
  return [
    {
      seen: 'no chain KUBE-MARK-DROP',
      allows: (dialect) => !dialect.ensuresMarkDrop && !dialect.natChains.includes('KUBE-MARK-DROP'),
    },
  ];
}

function postrouting({ rules }: DumpedChains): readonly IpvsFingerprint[] {
  const own = rules.get('nat KUBE-POSTROUTING') ?? [];
  if (own.some((rule) => jumpOf(rule) === 'RETURN' || rule.target?.kind === 'mark')) {
    return [{ seen: 'KUBE-POSTROUTING takes the mark off', allows: (dialect) => dialect.postrouting === 'three' }];
  }
  const single = own.find((rule) => rule.target?.kind === 'masquerade' && hasWord(rule, 'mark'));
  if (single?.target?.kind !== 'masquerade') return [];
  const isRandom = single.target.isRandomFully === true;
  return [
    {
      seen: `KUBE-POSTROUTING masquerades by one rule${isRandom ? ' with --random-fully' : ''}`,
      allows: (dialect) => dialect.postrouting === (isRandom ? 'singleRandomFully' : 'single'),
    },
  ];
}

function forwardRules({ rules }: DumpedChains): readonly IpvsFingerprint[] {
  const own = rules.get('filter KUBE-FORWARD') ?? [];
  if (own.length === 0) return [];
  const known = own.filter((rule) => hasWord(rule, 'conntrack'));
  const hasCidr = known.some((rule) => hasWord(rule, 'source') || hasWord(rule, 'destination'));
  const form = known.length === 0 || hasCidr ? 'cidrPair' : known.length === 1 ? 'one' : 'pair';
  return [
    {
      seen: `${known.length} conntrack rules in KUBE-FORWARD${hasCidr ? ' with a CIDR' : ''}`,
      allows: (dialect) => dialect.forward === form,
    },
  ];
}

function loopbackClients({ rules }: DumpedChains): readonly IpvsFingerprint[] {
  const own = rules.get('nat KUBE-SERVICES') ?? [];
  if (!own.some((rule) => jumpOf(rule) === 'KUBE-NODE-PORT')) return [];
  const isSpared = own.some((rule) => jumpOf(rule) === 'RETURN' && hasWord(rule, 'source'));
  return [
    {
      seen: `loopback clients are ${isSpared ? '' : 'not '}let alone`,
      allows: (dialect) => dialect.natParts.includes('skipLoopback') === isSpared,
    },
  ];
}

function sctpNodePorts({ rules }: DumpedChains): readonly IpvsFingerprint[] {
  const isSctp = (rule: Rule) => rule.words.some((word) => word.kind === 'protocol' && word.protocol === 'sctp');
  if ((rules.get('nat KUBE-SERVICES') ?? []).some(isSctp)) {
    return [{ seen: 'SCTP node ports in KUBE-SERVICES', allows: (dialect) => dialect.sctpNodePorts === 'bitmap' }];
  }
  const own = (rules.get('nat KUBE-NODE-PORT') ?? []).filter(isSctp).map(jumpOf);
  const [local, every] = [own.indexOf('RETURN'), own.indexOf('KUBE-MARK-MASQ')];
  if (local === -1 || every === -1) return [];
  return [
    {
      seen: `policy Local of SCTP node ports ${local < every ? 'before' : 'behind'} the rule of all`,
      allows: (dialect) => dialect.sctpNodePorts === (local < every ? 'localFirst' : 'generalFirst'),
    },
  ];
}

/** The sets that pass KUBE-IPVS-FILTER, in the order of its rules. */
function accessFilter({ rules }: DumpedChains): readonly IpvsFingerprint[] {
  const own = rules.get('filter KUBE-IPVS-FILTER') ?? [];
  if (own.length === 0) return [];
  const names = new Map([...setsByName('ipv4'), ...setsByName('ipv6')]);
  const passed = own
    .filter((rule) => jumpOf(rule) === 'RETURN')
    .map((rule) => names.get(matchOf(rule, 'set')?.set ?? ''))
    .join(' ');
  return [
    {
      seen: `${passed.split(' ').length} sets pass KUBE-IPVS-FILTER`,
      allows: (dialect) => dialect.passesAccessFilter.join(' ') === passed,
    },
  ];
}
