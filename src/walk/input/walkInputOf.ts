import type { Family } from '../../common/addresses/family.ts';
import { addressValue } from '../../netfilter/addressRanges.ts';
import { protocolNumber } from '../../netfilter/iptables/values/protocols.ts';
import type { VirtualService } from '../../netfilter/ipvs/ast.ts';
import { ipsetsIn, virtualServicesIn } from '../../node/ipvsRules.ts';
import { endsEarly } from '../../node/lostLines.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import { ipsetOf } from './ipsetOf.ts';
import { iptablesTables } from './iptablesTables.ts';
import { nftTables } from './nftTables.ts';
import type { AssumedPart } from './topology.ts';
import { topologyOf } from './topologyOf.ts';
import { sharedWalkChains } from './walkChains.ts';
import type { KnownConnection, WalkInput, WalkTable, WalkVirtualService } from './walkInput.ts';

/** The only way from what a node holds to what the walk knows about it. */
export function walkInputOf(
  node: NodeRules,
  family: Family,
  assumed: ReadonlyMap<AssumedPart, string> = new Map(),
): WalkInput {
  const legacy = node.iptables.filter((tool) => tool.family === family && tool.backend !== 'nft');
  const inNft = node.iptables.filter((tool) => tool.family === family && tool.backend === 'nft');
  const iptables = [...legacy, ...inNft].flatMap((tool) => iptablesTables(tool, family));
  const nft = node.nft.flatMap((tool) => nftTables(tool, family));
  // Older programs usually came first, so nft's own tables precede those of iptables.
  const tables = [...iptables, ...nft];
  const ipsets = ipsetsIn(node.ipsets).map(ipsetOf);
  const services = virtualServicesIn(node.ipvs.filter((tool) => tool.family === family));
  const isCutBefore = node.nft.some((tool) => tool.family !== family && endsEarly(tool));
  return {
    family,
    ...(isCutBefore && { isCutBefore }),
    tables,
    ipsets: new Map(ipsets.map((set) => [set.name, set])),
    ipvs: services.flatMap(virtualServiceOf),
    topology: topologyOf(node.network, family, assumed),
    connections: node.connections.filter(({ flow }) => flow.family === family).flatMap(connectionOf),
    assumed: [
      ...oneNode(legacy),
      ...oneNode(inNft),
      ...oneNode(node.nft.filter((tool) => tool.family === family)),
      ...orderAssumed(iptables, nft),
      ...familiesAssumed(nft),
      ...fragments(iptables),
    ],
  };
}

/** A kernel has each table of a back end and family once. */
function oneNode(sets: readonly ToolRules[]): readonly string[] {
  const names = new Set<string>();
  for (const set of sets) {
    for (const table of set.tables.keys()) {
      if (names.has(table)) {
        const files = sets.flatMap((each) => each.files).join(', ');
        return [
          `one node: ${files} hold the table ${table} more than once, and all of them are walked one after the other`,
        ];
      }
    }
    for (const table of set.tables.keys()) names.add(table);
  }
  return [];
}

/** A dump does not show which of two chains at one priority, one of iptables and one of nft, was registered last. */
function orderAssumed(iptables: readonly WalkTable[], nft: readonly WalkTable[]): readonly string[] {
  const own = new Set(placesOf(iptables));
  const shared = [...new Set(placesOf(nft).filter((place) => own.has(place)))];
  return shared.length === 0
    ? []
    : [`order: at equal priorities (${shared.join(', ')}) chains of nft are asked before those of iptables`];
}

/** The same holds for nft tables of one family and of both: the listing separates them. */
function familiesAssumed(nft: readonly WalkTable[]): readonly string[] {
  const both = placesOf(nft.filter(({ family }) => family === 'inet'));
  const own = new Set(placesOf(nft.filter(({ family }) => family === 'ip' || family === 'ip6')));
  const shared = [...new Set(both.filter((place) => own.has(place)))];
  return shared.length === 0
    ? []
    : [
        `order: at equal priorities (${shared.join(', ')}) chains of ip and ip6 tables are asked before those of inet tables`,
      ];
}

function placesOf(tables: readonly WalkTable[]): readonly string[] {
  return tables.flatMap(({ chains }) =>
    [...sharedWalkChains(chains)].flatMap(({ base }) =>
      base === undefined || base.kind === 'nat' ? [] : [`${base.hook} ${base.priority}`],
    ),
  );
}

function fragments(tables: readonly WalkTable[]): readonly string[] {
  return tables
    .filter(({ isFragment }) => isFragment)
    .map(
      ({ name }) =>
        `fragment: the dump shows a part of the table ${name}; kube-proxy's chains are walked as if they were called`,
    );
}

function virtualServiceOf({ address, scheduler, persistence, servers }: VirtualService): readonly WalkVirtualService[] {
  if (address.kind !== 'address') return [];
  const value = addressValue(address.ip);
  if (value === undefined) return [];
  const text = `${address.protocol.toUpperCase()} ${address.ip.includes(':') ? `[${address.ip}]` : address.ip}:${address.port}`;
  return [
    {
      protocol: Number(protocolNumber(address.protocol)),
      address: value,
      port: address.port,
      scheduler,
      ...(persistence && { persistence: persistence.seconds }),
      servers: servers.flatMap(({ ip, port, weight, forward }) => {
        const server = addressValue(ip);
        const way = typeof forward === 'string' ? forward : ('tunnel' as const);
        return server === undefined ? [] : [{ address: server, port, weight, forward: way }];
      }),
      text,
    },
  ];
}

function connectionOf({ flow }: NodeRules['connections'][number]): readonly KnownConnection[] {
  const sides = [flow.original, flow.reply].map(({ source, destination, sourcePort, destinationPort }) => {
    return { source: addressValue(source), destination: addressValue(destination), sourcePort, destinationPort };
  });
  const [original, reply] = sides;
  if (original?.source === undefined || original.destination === undefined) return [];
  if (reply?.source === undefined || reply.destination === undefined || flow.isInZone) return [];
  return [
    {
      protocol: flow.protocol,
      original: { ...original, source: original.source, destination: original.destination },
      reply: { ...reply, source: reply.source, destination: reply.destination },
      isUnreplied: flow.isUnreplied,
      mark: 0,
    },
  ];
}
