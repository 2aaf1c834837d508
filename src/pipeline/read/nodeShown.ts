import { canonicalIp } from '../../common/addresses/ip.ts';
import type { SeenServices } from '../../model/seenServices.ts';
import { interfaceAddresses } from '../../node/interfaceAddresses.ts';
import type { NetworkFacts } from '../../node/networkFacts.ts';
import type { Manifests } from '../../validate/kinds/manifests.ts';
import { sliceEndpoints } from '../../validate/shown/sliceEndpoints.ts';
import { endpointHomes } from '../search/endpointHomes.ts';

/** What a dump shows about its node. */
export interface ShownNode {
  readonly network: Pick<NetworkFacts, 'node' | 'interfaces'>;
  /** Addresses of the node that rules name. */
  readonly addresses: () => readonly string[];
  /** Used only if something depends on which endpoints are on the node. */
  readonly services: () => SeenServices;
  /** Rules name endpoints of the node itself, whatever the policies: those of nftables mode since 1.36. */
  readonly namesOwnEndpoints?: boolean;
  /** Addresses of endpoints that rules say are on the node, whatever the policies: those of IPVS mode. */
  readonly ownEndpoints?: () => readonly string[];
  /** An address in the question: a node port of a Node is used at the Node's own address. */
  readonly asked?: string | undefined;
}

export interface NodeChoice {
  readonly name: string;
  readonly sentence: string;
}

/**
 * Which of several Nodes a dump comes from: by its name among the facts, by one of its addresses, by the endpoints that
 * rules keep traffic on the node for; otherwise the requested one. Without Nodes, endpoints name them. Undefined: none of
 * these fits exactly one Node.
 */
export function nodeShown(manifests: Manifests, shown: ShownNode): NodeChoice | undefined {
  if (manifests.nodes.length === 0) return nodeOfEndpoints(manifests, shown);
  const names = manifests.nodes.map(({ value }) => value.metadata.name.toLowerCase());
  if (names.length < 2) return undefined;
  const told = shown.network.node?.toLowerCase();
  if (told !== undefined && names.includes(told)) return chosen(told, 'its facts show');
  const { network, addresses, asked = '' } = shown;
  return (
    byAddress(manifests, [...interfaceAddresses(network), ...addresses()]) ??
    byOwnEndpoints(() => homesOf(manifests), new Set(names), shown) ??
    (keepsTrafficLocal(manifests)
      ? byEndpoints(homesOf(manifests), new Set(names), shown, { hasAll: true })
      : undefined) ??
    askedFor(byAddress(manifests, [asked]), asked)
  );
}

function nodeOfEndpoints(manifests: Manifests, shown: ShownNode): NodeChoice | undefined {
  const homes = homesOf(manifests);
  const ofPods = manifests.pods.flatMap(({ value }) => value.spec?.nodeName?.toLowerCase() ?? []);
  const names = new Set([...ofPods, ...homes.values()]);
  const told = shown.network.node?.toLowerCase();
  if (told !== undefined && names.has(told)) return chosen(told, 'its facts show');
  const isShown = names.size > 0 && (keepsTrafficLocal(manifests) || shown.namesOwnEndpoints === true);
  return (
    byOwnEndpoints(() => homes, names, shown) ??
    // There may be Nodes without endpoints: that the others have them shows nothing.
    (isShown ? byEndpoints(homes, names, shown, { hasAll: false }) : undefined)
  );
}

/** Whether anything that is an endpoint, or may be one, says on which Node it is. */
export function endpointsNameNodes({ endpointSlices, endpoints, pods }: Manifests): boolean {
  for (const { value } of endpointSlices) {
    for (const { nodeName } of sliceEndpoints(value)) if (nodeName) return true;
  }
  return (
    pods.some(({ value }) => Boolean(value.spec?.nodeName)) ||
    endpoints.some(({ value }) =>
      (value.subsets ?? []).some(({ addresses }) => (addresses ?? []).some(({ nodeName }) => nodeName)),
    )
  );
}

function byAddress({ nodes }: Manifests, addresses: readonly string[]): NodeChoice | undefined {
  const known = new Set(addresses.map((ip) => canonicalIp(ip)));
  const found = nodes.flatMap(({ value }) => {
    const address = (value.status?.addresses ?? [])
      .filter(({ type }) => type === 'InternalIP' || type === 'ExternalIP')
      .map((one) => canonicalIp(one.address))
      .find((ip) => ip !== undefined && known.has(ip));
    return address === undefined ? [] : [chosen(value.metadata.name.toLowerCase(), `the address ${address} shows`)];
  });
  return found.length === 1 ? found[0] : undefined;
}

function keepsTrafficLocal({ services }: Manifests): boolean {
  return services.some(
    ({ value: { spec } }) => spec?.externalTrafficPolicy === 'Local' || spec?.internalTrafficPolicy === 'Local',
  );
}

/** On which Node an address is, as endpoints say, or as Pods do. */
function homesOf(manifests: Manifests): ReadonlyMap<string, string> {
  const homes = new Map<string, string>();
  for (const { value } of manifests.pods) {
    const node = value.spec?.nodeName?.toLowerCase();
    for (const { ip } of value.status?.podIPs ?? []) if (node && ip) homes.set(canonicalIp(ip) ?? ip, node);
  }
  for (const [ip, { node }] of endpointHomes(manifests, 'nodes')) if (node !== undefined) homes.set(ip, node);
  return homes;
}

/** All of them are on one Node; those of Pods that are gone are on none. */
function byOwnEndpoints(
  homesOfAll: () => ReadonlyMap<string, string>,
  names: ReadonlySet<string>,
  { ownEndpoints = () => [] }: ShownNode,
): NodeChoice | undefined {
  const own = ownEndpoints();
  if (own.length === 0) return undefined;
  const [homes, here] = [homesOfAll(), new Map<string, string>()];
  for (const ip of own) {
    const node = homes.get(canonicalIp(ip) ?? ip);
    if (node !== undefined && names.has(node)) here.set(node, ip);
  }
  return onOne(here);
}

function onOne(here: ReadonlyMap<string, string>): NodeChoice | undefined {
  const [[name, ip] = [], ...others] = here;
  return name === undefined || others.length > 0 ? undefined : chosen(name, `the endpoint ${ip} on it shows`);
}

/**
 * If endpoints of a Local policy are shown, they are on the node; if none are, the node has none of them. `hasAll`: there
 * is no Node besides these.
 */
function byEndpoints(
  homes: ReadonlyMap<string, string>,
  names: ReadonlySet<string>,
  { services }: ShownNode,
  { hasAll }: { readonly hasAll: boolean },
): NodeChoice | undefined {
  const here = new Map<string, string>();
  const elsewhere = new Set<string>();
  for (const { endpoints, elsewhere: without } of services().values()) {
    for (const [key, all] of endpoints) {
      for (const { ip, isLocal } of all) {
        const node = homes.get(canonicalIp(ip) ?? ip);
        if (node === undefined || !names.has(node)) continue;
        if (isLocal) here.set(node, ip);
        else if (without.has(key)) elsewhere.add(node);
      }
    }
  }
  if (here.size > 0) return onOne(here);
  const left = [...names].filter((each) => !elsewhere.has(each));
  return hasAll && elsewhere.size > 0 && left.length === 1
    ? chosen(left[0] as string, 'the endpoints on all other Nodes show')
    : undefined;
}

function chosen(name: string, shown: string): NodeChoice {
  return { name, sentence: `the dump is of node ${name}, as ${shown}` };
}

function askedFor(choice: NodeChoice | undefined, address: string): NodeChoice | undefined {
  return (
    choice && {
      ...choice,
      sentence: `the dump is taken to be of node ${choice.name}, which has the address ${address}`,
    }
  );
}
