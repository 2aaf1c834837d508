import { type Cidr, parseCidr } from '../../common/addresses/cidr.ts';
import { canonicalIp, familyOf } from '../../common/addresses/ip.ts';
import { compareBytes } from '../../common/compareBytes.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { isFinished } from '../../validate/isFinished.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { PodObject } from '../../validate/kinds/manifests.ts';
import type { BlockAffinityObject } from '../../validate/kinds/objectsBesideRules.ts';
import { families, hostLength } from './nodeEntries.ts';
import type { RouteNode } from './routeNode.ts';

/** The ranges that Calico gave to nodes, and the Pods that have addresses of them. */
export interface CalicoBlocks {
  readonly blocks: readonly AddressBlock[];
  /** Addresses of Pods that run elsewhere than their block: they are routed one by one. */
  readonly strays: readonly PlacedAddress[];
  /** By name of the node. */
  readonly pods: ReadonlyMap<string, readonly PlacedAddress[]>;
}

export interface AddressBlock {
  readonly cidr: Cidr;
  readonly node: string;
}

/** One address of a Pod, as a network. */
export interface PlacedAddress {
  readonly cidr: Cidr;
  readonly node: string;
  /** Calico's name for the Pod's end of the link. */
  readonly namespace: string;
  readonly pod: string;
}

/** What blocks are read from. */
export interface BlockSources {
  readonly blockAffinities: readonly Manifest<BlockAffinityObject>[];
  readonly pods: readonly Manifest<PodObject>[];
}

/**
 * Blocks as BlockAffinity objects say; without any as Pods suggest, each block with the node that has most Pods in it;
 * without Pods the Nodes' own ranges.
 */
export function calicoBlocks(
  sources: BlockSources,
  nodes: readonly RouteNode[],
  blockSize: number,
  report: Report,
): CalicoBlocks {
  const placed = placedAddresses(sources.pods);
  const confirmed = confirmedBlocks(sources.blockAffinities);
  const blocks =
    confirmed.length > 0 ? confirmed : placed.length > 0 ? assumedBlocks(placed, blockSize, report) : ranges(nodes);
  const known = new Set(nodes.map(({ name }) => name));
  const pods = new Map<string, PlacedAddress[]>();
  for (const one of placed) {
    const own = pods.get(one.node);
    if (own) own.push(one);
    else pods.set(one.node, [one]);
  }
  return {
    blocks: ofKnownNodes(blocks, known, report),
    strays: strays(placed, blocks).filter(({ node }) => known.has(node)),
    pods,
  };
}

function confirmedBlocks(affinities: BlockSources['blockAffinities']): readonly AddressBlock[] {
  const blocks: AddressBlock[] = [];
  for (const { value } of affinities) {
    const { cidr, node, state, deleted } = value.spec;
    // The API writes the truth value as text.
    if (state !== 'confirmed' || String(deleted ?? false) === 'true' || value.metadata.deletionTimestamp) continue;
    const parsed = parseCidr(cidr);
    if (parsed !== undefined) blocks.push({ cidr: parsed, node });
  }
  return blocks;
}

function placedAddresses(pods: BlockSources['pods']): readonly PlacedAddress[] {
  const placed: PlacedAddress[] = [];
  for (const { value } of pods) {
    const { metadata, spec, status } = value;
    const node = spec?.nodeName;
    if (!node || spec?.hostNetwork === true || isFinished(value)) continue;
    const written = [...(status?.podIPs ?? []).map(({ ip }) => ip), status?.podIP ?? ''];
    const ips = new Set(written.map(canonicalIp));
    for (const ip of ips) {
      const family = ip === undefined ? undefined : familyOf(ip);
      const cidr = family && parseCidr(`${ip}/${hostLength(family)}`);
      if (cidr) placed.push({ cidr, node, namespace: metadata.namespace ?? 'default', pod: metadata.name });
    }
  }
  return placed;
}

/** Calico's length of IPv6 blocks. */
const ipv6BlockSize = 122;

function assumedBlocks(placed: readonly PlacedAddress[], blockSize: number, report: Report): readonly AddressBlock[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { cidr, node } of placed) {
    const block = blockOf(cidr, cidr.family === 'ipv4' ? blockSize : ipv6BlockSize);
    const byNode = counts.get(block) ?? new Map<string, number>();
    counts.set(block, byNode);
    byNode.set(node, (byNode.get(node) ?? 0) + 1);
  }
  report({
    code: 'assumed-blocks',
    severity: 'note',
    message: `no BlockAffinity is given: each block is assumed to belong to the node that has most Pods in it`,
    at: [],
    hint: 'read them from the cluster: kubectl get blockaffinities.crd.projectcalico.org -o yaml',
  });
  const blocks: AddressBlock[] = [];
  for (const [text, byNode] of counts) {
    const cidr = parseCidr(text);
    const [first] = [...byNode].sort(([a, many], [b, more]) => more - many || compareBytes(a, b));
    if (cidr !== undefined && first !== undefined) blocks.push({ cidr, node: first[0] });
  }
  return blocks;
}

/** The block of a length that an address is in. */
function blockOf(address: Cidr, length: number): string {
  return parseCidr(`${address.text.slice(0, address.text.indexOf('/'))}/${length}`)?.text ?? address.text;
}

function ranges(nodes: readonly RouteNode[]): readonly AddressBlock[] {
  return nodes.flatMap(({ name, podCIDRs }) =>
    families.flatMap((family) => {
      const cidr = podCIDRs[family];
      return cidr === undefined ? [] : [{ cidr, node: name }];
    }),
  );
}

/** Blocks may have any length, so each address is looked up once for every length in use. */
function strays(placed: readonly PlacedAddress[], blocks: readonly AddressBlock[]): readonly PlacedAddress[] {
  const owners = new Map(blocks.map(({ cidr, node }) => [cidr.text, node]));
  const lengths = [...new Set(blocks.map(({ cidr }) => `${cidr.family}/${cidr.length}`))].map((text) => {
    const [family, length] = text.split('/');
    return { family, length: Number(length) };
  });
  return placed.filter(({ cidr, node }) => {
    for (const { family, length } of lengths) {
      const owner = family === cidr.family ? owners.get(blockOf(cidr, length)) : undefined;
      if (owner !== undefined) return owner !== node;
    }
    return false;
  });
}

function ofKnownNodes(
  blocks: readonly AddressBlock[],
  known: ReadonlySet<string>,
  report: Report,
): readonly AddressBlock[] {
  const unknown = new Map<string, string>();
  const kept = blocks.filter(({ cidr, node }) => {
    if (known.has(node)) return true;
    unknown.set(node, unknown.get(node) ?? cidr.text);
    return false;
  });
  for (const [node, block] of [...unknown].sort(([a], [b]) => compareBytes(a, b))) {
    report({
      code: 'block-of-unknown-node',
      severity: 'warning',
      message: `block ${block} belongs to node "${node}", whose address is not known: nothing is routed to it`,
      at: [],
      hint: 'read the Nodes from the cluster: kubectl get nodes -o yaml',
    });
  }
  return kept;
}
