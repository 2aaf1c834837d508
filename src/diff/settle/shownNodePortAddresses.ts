import type { Family } from '../../common/addresses/family.ts';
import { hostCidr } from '../../common/addresses/hostCidr.ts';
import { familyOf, isLoopbackIp } from '../../common/addresses/ip.ts';
import { loopbackRange } from '../../common/addresses/wholeRange.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { dialectOf } from '../../dialect/dialectOf.ts';
import type { KubeVersion } from '../../dialect/version.ts';
import { interfaceAddresses } from '../../node/interfaceAddresses.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { CompileInput } from '../../pipeline/compile.ts';
import { proxySeen } from '../../seen/proxySeen.ts';
import { nodePortRanges } from '../../seen/settings/nodePortRanges.ts';
import type { SeenNodePorts } from '../../seen/settings/seenSettings.ts';
import { knownAddresses } from './knownAddresses.ts';

/**
 * nodePortAddresses as a dump shows them; undefined: it shows the default, or addresses that belong neither to a known Node
 * nor, by its `ip addr`, to this one, and so may come from another.
 */
export function shownNodePortAddresses(
  { target, objects, kubeVersion }: Pick<CompileInput, 'target' | 'objects' | 'kubeVersion'>,
  dump: NodeRules,
  mode: ProxyMode,
): readonly string[] | undefined {
  const { settings, versions } = proxySeen(dump).of(mode);
  const { nodePortIPs, nodePorts } = settings;
  const named = nodePortIPs ?? (nodePorts && [...nodePorts.values()].flatMap(addressesOf));
  if (named === undefined) return undefined;
  const known = knownAddresses(target, objects);
  const owned = [...known, ...interfaceAddresses(dump.network)];
  if (!named.every((ip) => owned.includes(ip) || isLoopbackIp(ip))) return undefined;
  if (nodePorts === undefined) return named.map(hostCidr);
  const isOpen = opensAll(mode, kubeVersion === undefined ? (versions?.versions ?? []) : [kubeVersion]);
  const isUsual = isOpen ? [...nodePorts.values()].every(({ kind }) => kind === 'any') : isDefault(nodePorts, known);
  // In nftables mode they are never open on loopback addresses.
  return isUsual
    ? undefined
    : [...nodePorts].flatMap(([family, own]) => nodePortRanges(family, own, loopbackRange(family)));
}

/** Node ports are open on every address by default; in nftables mode only before 1.30. */
function opensAll(mode: ProxyMode, versions: readonly KubeVersion[]): boolean {
  return versions.length > 0 && versions.every((one) => dialectOf(mode, one).plan.defaultNodePorts === 'anyLocal');
}

/**
 * Node ports of nftables mode are open on the node's IP alone, and on every address in a family in which the node has none.
 * An empty set does not count as a setting: its elements may have been lost.
 */
function isDefault(nodePorts: ReadonlyMap<Family, SeenNodePorts>, known: readonly string[]): boolean {
  // Where no Node was given, the address that the rules show is taken for its.
  const isUsual = (ip: string) => known.length === 0 || known.includes(ip);
  return [...nodePorts].every(([family, own]) => {
    const isUnknown = !known.some((ip) => familyOf(ip) === family);
    return own.kind === 'any' ? isUnknown : own.addresses.length <= 1 && own.addresses.every(isUsual);
  });
}

function addressesOf(nodePorts: SeenNodePorts): readonly string[] {
  return nodePorts.kind === 'addresses' ? nodePorts.addresses : [];
}
