import type { Family } from '../common/family.ts';
import { protocolsByWord } from '../common/protocol.ts';
import type { SeenEndpoint } from '../model/seenServices.ts';
import type { NftElement, Statement } from '../netfilter/nft/ast.ts';
import { isProxyTable } from '../node/foreignPrograms.ts';
import { nftChainName } from '../node/nftChainName.ts';
import type { RuleTable, ToolRules } from '../node/nodeRules.ts';
import { type ServicePortName, servicePortName } from '../node/servicePortName.ts';
import { addEndpoint } from './addEndpoint.ts';
import type { Sighting } from './seenServices.ts';

/** What kube-proxy's table of nftables mode shows of Services, by names of chains and comments of elements. */
export function* seenInNft({ tables, family }: ToolRules): Iterable<Sighting> {
  for (const table of tables.values()) {
    if (!isProxyTable(table.name)) continue;
    const clusterIPs = clusterIPsOf(table);
    for (const map of ['service-ips', 'service-nodeports', 'no-endpoint-services', 'no-endpoint-nodeports']) {
      for (const element of elementsOf(table, `map ${map}`)) {
        const sighting = sightingOf(element, family, table, clusterIPs);
        if (sighting !== undefined) yield sighting;
      }
    }
  }
}

/**
 * Set `cluster-ips`. Version 1.29 has none: there a cluster IP leads to a chain `service-` or `local-`, or is the only
 * address of its Service port that is refused.
 */
function clusterIPsOf(table: RuleTable): ReadonlySet<string | undefined> {
  if (table.chains.has('set cluster-ips')) {
    return new Set(elementsOf(table, 'set cluster-ips').map(({ key }) => key[0]));
  }
  const found = new Set<string | undefined>();
  const translated = new Set<string>();
  for (const { key, verdict } of elementsOf(table, 'map service-ips')) {
    translated.add(key.join(' '));
    if (verdict !== undefined && 'chain' in verdict && /^(?:service|local)-/.test(verdict.chain)) found.add(key[0]);
  }
  const refused = new Map<string, Set<string>>();
  for (const { key, comment = '' } of elementsOf(table, 'map no-endpoint-services')) {
    if (translated.has(key.join(' '))) continue;
    const port = `${comment} ${key[1]} ${key[2]}`;
    refused.set(port, (refused.get(port) ?? new Set<string>()).add(key[0] ?? ''));
  }
  for (const addresses of refused.values()) if (addresses.size === 1) for (const ip of addresses) found.add(ip);
  return found;
}

function elementsOf({ chains }: RuleTable, name: string): readonly NftElement[] {
  const content = chains.get(name)?.content;
  return content?.kind === 'nftSet' ? content.set.elements : [];
}

function sightingOf(
  { key, verdict, comment }: NftElement,
  family: Family,
  table: RuleTable,
  clusterIPs: ReadonlySet<string | undefined>,
): Sighting | undefined {
  const [ip, word = '', number = ''] = key.length === 3 ? key : [undefined, ...key];
  const chain = verdict !== undefined && 'chain' in verdict ? verdict.chain : '';
  const named = nameOfChain(chain) ?? servicePortName(comment ?? '');
  const protocol = protocolsByWord.get(word);
  if (named === undefined || protocol === undefined) return undefined;
  const isRefused = chain === 'reject-chain';
  const endpoints = isRefused ? [] : chain === '' ? undefined : endpointsBehind(chain, table);
  const isElsewhere = verdict?.kind === 'drop';
  const common = { ...named, protocol, family, isElsewhere, ...(endpoints && { endpoints }) };
  if (ip === undefined) return { ...common, kind: 'nodePort', number: Number(number) };
  return { ...common, kind: clusterIPs.has(ip) ? 'clusterIP' : 'externalIP', ip, port: Number(number) };
}

/** Only of a whole name: a part of a port's name is another name. */
function nameOfChain(chain: string): ServicePortName | undefined {
  const { service = '', portName, rest } = nftChainName(chain) ?? {};
  return portName === undefined || rest !== '' ? undefined : { service, portName };
}

/** The endpoints that a chain of a Service leads to; undefined: one of the chains is not shown. */
function endpointsBehind(start: string, table: RuleTable): readonly SeenEndpoint[] | undefined {
  const found = new Map<string, SeenEndpoint>();
  const reached = new Set([start]);
  for (const name of reached) {
    const statements = statementsOf(table, name);
    if (statements === undefined) return undefined;
    const isLocal = name.startsWith('local-');
    const chains = statements.flatMap(chainsIn);
    for (const chain of chains) if (/^(?:service|local|external|firewall)-/.test(chain)) reached.add(chain);
    const endpoints = chains.filter((chain) => chain.startsWith('endpoint-'));
    // Since 1.36 a chain of a Service translates by itself.
    for (const own of [...endpoints.map((chain) => statementsOf(table, chain)), statements]) {
      if (own === undefined) return undefined;
      for (const address of own.flatMap(addressesIn))
        addEndpoint(found, { ...address, isInCluster: !isLocal, isLocal });
    }
  }
  return [...found.values()];
}

function statementsOf(table: RuleTable, chain: string): readonly Statement[] | undefined {
  const content = table.chains.get(chain)?.content;
  return content?.kind === 'nftChain' ? content.chain.rules.flatMap(({ statements }) => statements) : undefined;
}

function chainsIn(statement: Statement): readonly string[] {
  const verdicts =
    statement.kind === 'verdict'
      ? [statement.verdict]
      : statement.kind === 'vmap' && statement.map.kind === 'anonymousMap'
        ? statement.map.elements.flatMap(({ verdict }) => verdict ?? [])
        : [];
  return verdicts.flatMap((verdict) => ('chain' in verdict ? verdict.chain : []));
}

/** `dnat to 10.244.1.7:8080`, and since 1.36 `dnat ip to numgen … map { 0 : 10.244.1.7 . 8080 }`. */
function addressesIn(statement: Statement): readonly { ip: string; port: number }[] {
  if (statement.kind !== 'nat' || statement.action !== 'dnat') return [];
  if (statement.address !== undefined && statement.port !== undefined) {
    return [{ ip: statement.address.replace(/^\[|\]$/g, ''), port: Number(statement.port) }];
  }
  const map = statement.lookup?.map;
  if (map?.kind !== 'anonymousMap') return [];
  return map.elements.flatMap(({ value }) =>
    value?.[0] !== undefined && value[1] !== undefined ? [{ ip: value[0], port: Number(value[1]) }] : [],
  );
}
