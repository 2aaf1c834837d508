import type { NftChain, NftRule, NftTable, Statement } from '../../netfilter/nft/ast.ts';
import type { DumpedRules } from '../dumpedRules.ts';
import type { Fingerprint as FingerprintOf } from '../fingerprint.ts';
import type { BaseChainOf } from './hooks.ts';
import type { NftablesDialect } from './nftablesDialect.ts';

type NftablesFingerprint = FingerprintOf<NftablesDialect>;

/** What tells versions of nftables mode apart in a dump of kube-proxy's tables. */
export function nftablesFingerprints({ nft, flushed }: DumpedRules): readonly NftablesFingerprint[] {
  return [...nft.flatMap((table) => finders.flatMap((find) => [...find(table)])), ...flushes(flushed)];
}

const finders: readonly ((table: NftTable) => readonly NftablesFingerprint[])[] = [
  baseChains,
  fixedParts,
  sourceRanges,
  firewallComments,
  interfaces,
  clusterIPMarks,
  balancing,
];

/** In a whole table, base chains that are not there do not exist. */
function baseChains({ chains, cut }: NftTable): readonly NftablesFingerprint[] {
  const found = chains.flatMap(({ name, base }) =>
    base === undefined ? [] : [{ name, key: baseKey({ ...base, name }) }],
  );
  if (found.length === 0) return [];
  const isWhole = cut === undefined;
  return [
    {
      seen: `base chains ${found.map(({ name }) => name).join(', ')}`,
      allows: ({ hooks }) => {
        const own = new Set(hooks.baseChains.map(baseKey));
        return found.every(({ key }) => own.has(key)) && (!isWhole || own.size === found.length);
      },
    },
  ];
}

function baseKey({ name, type, hook, priority }: Omit<BaseChainOf, 'type' | 'hook'> & { type: string; hook: string }) {
  return `${name} ${type} ${hook} ${priority}`;
}

/** Chains and sets that are there whatever the Services are; of a part of a table only those count that it shows. */
function fixedParts({ chains, sets, cut }: NftTable): readonly NftablesFingerprint[] {
  if (!chains.some(({ base }) => base !== undefined)) return [];
  const has = (list: readonly { readonly name: string }[], name: string) => list.some((one) => one.name === name);
  const part = (
    what: string,
    isThere: boolean,
    belongs: (dialect: NftablesDialect) => boolean,
  ): NftablesFingerprint & { readonly isThere: boolean } => ({
    isThere,
    seen: `${isThere ? '' : 'no '}${what}`,
    allows: (dialect) => belongs(dialect) === isThere,
  });
  return [
    part('chain mark-for-masquerade', has(chains, 'mark-for-masquerade'), (one) => one.masqueradeMark === 'chain'),
    part('set hairpin-connections', has(sets, 'hairpin-connections'), (one) => one.hairpin === 'set'),
    part('set cluster-ips', has(sets, 'cluster-ips'), (one) => one.checksClusterIPs),
    part('chain forward', has(chains, 'forward'), ({ hooks }) => hooks.jumps.some(({ to }) => to === 'forward')),
    part('chain endpoints-check', has(chains, 'endpoints-check'), (one) => one.endpointChecks === 'one'),
  ].filter(({ isThere }) => isThere || cut === undefined);
}

function sourceRanges({ chains, sets }: NftTable): readonly NftablesFingerprint[] {
  if (sets.some(({ name }) => name === 'firewall-allow')) {
    return [{ seen: 'set firewall-allow', allows: (dialect) => dialect.sourceRanges === 'elements' }];
  }
  return chains.some(({ name }) => /^firewall-[A-Z2-7]{8}-/.test(name))
    ? [{ seen: 'a chain firewall-…', allows: (dialect) => dialect.sourceRanges !== 'elements' }]
    : [];
}

function firewallComments({ sets }: NftTable): readonly NftablesFingerprint[] {
  const elements = sets.find(({ name }) => name === 'firewall-ips')?.elements ?? [];
  if (elements.length === 0) return [];
  const isNamed = elements.some(({ comment }) => comment !== undefined);
  return [
    {
      seen: `${isNamed ? '' : 'no '}comments in map firewall-ips`,
      allows: (dialect) => dialect.namesFirewallElements === isNamed,
    },
  ];
}

function interfaces({ chains }: NftTable): readonly NftablesFingerprint[] {
  const key = statementsOf(chains, /./)
    .map((statement) => (statement.kind === 'match' && statement.left.kind === 'meta' ? statement.left.key : ''))
    .find((name) => name === 'iif' || name === 'iifname');
  return key === undefined
    ? []
    : [{ seen: `interfaces matched by ${key}`, allows: (dialect) => dialect.interfaceMatch === key }];
}

/** Where traffic to cluster IPs is marked for masquerading. */
function clusterIPMarks({ chains }: NftTable): readonly NftablesFingerprint[] {
  const inServices = rulesOf(chains, /^services$/).some((rule) => marks(rule) && matchesOn(rule, 'daddr'));
  if (inServices) {
    return [{ seen: 'marks for cluster IPs in services', allows: (dialect) => dialect.clusterIPMark === 'services' }];
  }
  const own = rulesOf(chains, /^(?:service|local)-[A-Z2-7]{8}-/).find(
    (rule) => marks(rule) && matchesOn(rule, 'daddr'),
  );
  if (own === undefined) return [];
  const hasPort = matchesOn(own, 'dport');
  return [
    {
      seen: `marks for a cluster IP by its address${hasPort ? ' and port' : ' alone'}`,
      allows: (dialect) => dialect.clusterIPMark === (hasPort ? 'addressAndPort' : 'address'),
    },
  ];
}

/** A choice of endpoints without ClientIP affinity. */
function balancing({ chains }: NftTable): readonly NftablesFingerprint[] {
  const own = chains.filter(({ name }) => /^(?:service|local)-[A-Z2-7]{8}-/.test(name));
  const translations = statementsOf(own, /./).flatMap((one) => (one.kind === 'nat' ? one : []));
  const single = translations.find(({ address, lookup }) => address !== undefined || sizeOf(lookup) === 1);
  if (single !== undefined) {
    const isNamed = single.address !== undefined;
    return [
      {
        seen: isNamed ? 'DNAT to a single endpoint' : 'DNAT by a map to a single endpoint',
        allows: (dialect) => dialect.balance === 'dnatMap' && dialect.namesSingleEndpoint === isNamed,
      },
    ];
  }
  if (translations.length > 0) return [{ seen: 'DNAT by a map', allows: (dialect) => dialect.balance === 'dnatMap' }];
  const plain = own.find(
    ({ rules }) =>
      rules.some(({ statements }) => statements.some(({ kind }) => kind === 'vmap')) &&
      !rules.some((rule) => matchesOn(rule, 'saddr') && !marks(rule)),
  );
  return plain === undefined
    ? []
    : [{ seen: 'chains of endpoints without affinity', allows: (dialect) => dialect.balance === 'endpointChains' }];
}

function sizeOf(lookup: Extract<Statement, { kind: 'nat' }>['lookup']): number | undefined {
  return lookup?.map.kind === 'anonymousMap' ? lookup.map.elements.length : undefined;
}

/** A text for `nft -f` shows what it empties; a listing does not. */
function flushes(flushed: readonly string[] | undefined): readonly NftablesFingerprint[] {
  if (flushed === undefined) return [];
  const own = flushed.filter((name) => name !== 'nodeport-ips');
  return [
    {
      seen: own.length === 0 ? 'sets and maps that are not emptied' : `${own.join(', ')} emptied in this order`,
      allows: (dialect) => dialect.flushes.map(({ name }) => name).join(' ') === own.join(' '),
    },
  ];
}

function marks({ statements }: NftRule): boolean {
  return statements.some(
    (one) =>
      one.kind === 'assign' ||
      (one.kind === 'verdict' && one.verdict.kind === 'jump' && one.verdict.chain === 'mark-for-masquerade'),
  );
}

function matchesOn({ statements }: NftRule, field: string): boolean {
  return statements.some((one) => one.kind === 'match' && one.left.kind === 'payload' && one.left.field === field);
}

function rulesOf(chains: readonly NftChain[], name: RegExp): readonly NftRule[] {
  return chains.flatMap((chain) => (name.test(chain.name) ? chain.rules : []));
}

function statementsOf(chains: readonly NftChain[], name: RegExp): readonly Statement[] {
  return rulesOf(chains, name).flatMap(({ statements }) => statements);
}
