import type { Family } from '../../common/addresses/family.ts';
import { isLoopbackIp } from '../../common/addresses/ip.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { PlanDialect } from '../../dialect/plan/planDialect.ts';
import { nodePortRanges } from '../../seen/settings/nodePortRanges.ts';
import type { SeenNodePorts, SeenSettings } from '../../seen/settings/seenSettings.ts';
import type { ConfigAddresses } from './configManifest.ts';
import type { NodeAddresses } from './nodeAddresses.ts';

/**
 * The setting nodePortAddresses that opens node ports where the rules show them open; empty where kube-proxy's default does
 * so.
 */
export function nodePortAddressesSetting(
  mode: ProxyMode,
  settings: readonly SeenSettings[],
  node: NodeAddresses,
  plan: PlanDialect,
): ConfigAddresses {
  const shown = settings.flatMap(({ family, nodePorts }) => (nodePorts ? [{ family, nodePorts }] : []));
  const entries = new Map<Family, readonly string[]>();
  for (const { family, nodePorts } of shown) {
    const isDefault = matchesDefault(mode, family, nodePorts, node, plan, false);
    if (!isDefault) entries.set(family, entriesOf(family, nodePorts));
  }
  // Entries of one family change what the other's lack means.
  for (const { family, nodePorts } of shown) {
    const hasOther = [...entries.keys()].some((other) => other !== family);
    if (entries.has(family) || !hasOther || matchesDefault(mode, family, nodePorts, node, plan, true)) continue;
    entries.set(family, entriesOf(family, nodePorts));
  }
  const isEmpty = shown.some(({ family, nodePorts }) => entries.has(family) && isNowhere(nodePorts));
  return {
    nodePortAddresses: [...entries.values()].flat(),
    madeUp: isEmpty ? 'made up: node ports are open on no address of the node' : undefined,
  };
}

function isNowhere(nodePorts: SeenNodePorts): boolean {
  return nodePorts.kind === 'addresses' && nodePorts.addresses.length === 0;
}

function entriesOf(family: Family, nodePorts: SeenNodePorts): readonly string[] {
  return nodePortRanges(family, nodePorts, family === 'ipv4' ? '192.0.2.0/24' : '2001:db8::/64');
}

/** Without entries of the family node ports are open where the rules show them open. */
function matchesDefault(
  mode: ProxyMode,
  family: Family,
  nodePorts: SeenNodePorts,
  node: NodeAddresses,
  plan: PlanDialect,
  hasOther: boolean,
): boolean {
  const nodeIP = node.nodeIPs[family];
  const ownAlone = nodePorts.kind === 'addresses' && nodePorts.addresses.join() === (nodeIP ?? '');
  switch (plan.defaultNodePorts) {
    case 'anyLocal':
      return (
        nodePorts.kind === 'any' ||
        (modeFacts[mode].namedNodeAddresses === 'all' && hasAll(family, nodePorts.addresses, node))
      );
    case 'nodeIP':
      return ownAlone;
    case 'nodeIPOrAny':
      return nodeIP === undefined || hasOther ? nodePorts.kind === 'any' : ownAlone;
  }
}

/** In IPVS mode every address of the node has its own virtual servers. */
function hasAll(family: Family, addresses: readonly string[], { all }: NodeAddresses): boolean {
  const own = all.filter((ip) => (family === 'ipv6') === ip.includes(':') && !/^fe[89ab][0-9a-f]:/.test(ip));
  return !addresses.some(isLoopbackIp) && own.length === addresses.length && own.every((ip) => addresses.includes(ip));
}
