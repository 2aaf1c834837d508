import { onDemand } from '../../common/onDemand.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import { saysClusterIP } from '../../seen/names/serviceInComment.ts';
import type { WalkInput } from '../../walk/input/walkInput.ts';
import type { NamedPort, NamedService } from '../question/namedThings.ts';
import { clusterIpSets } from './clusterIpSets.ts';
import { type CatalogEntrance, ruleEntrances } from './ruleEntrances.ts';

/** Services with their cluster IPs, from comments of rules and names of chains: a dump has no other names. */
export function servicesOfRules(inputs: readonly WalkInput[]): readonly NamedService[] {
  const services = new Map<string, Draft>();
  for (const input of inputs) {
    const members = onDemand({ all: () => new Set(clusterIpSets(input).map(({ first }) => first)) });
    for (const entrance of ruleEntrances(input)) {
      const { service, address, protocol, port } = entrance;
      if (service === undefined || address === undefined || port === undefined) continue;
      if (!isClusterIP(entrance) && !(entrance.isInMap && members.all.has(address))) continue;
      const [name = '', portName = ''] = service.split(':');
      let known = services.get(name);
      if (known === undefined) {
        known = { addresses: new Set(), ports: new Map() };
        services.set(name, known);
      }
      known.addresses.add(address);
      known.ports.set(`${portName} ${port}`, { name: portName, number: port, protocol });
    }
  }
  return [...services].map(([name, { addresses, ports }]) => ({
    name,
    addresses: [...addresses],
    ports: [...ports.values()],
  }));
}

interface Draft {
  readonly addresses: Set<Value>;
  readonly ports: Map<string, NamedPort>;
}

/**
 * In iptables mode the comment shows it. In nftables mode other addresses lead to separate chains; those of a Service without
 * endpoints lead nowhere, and a set holds the cluster IPs.
 */
function isClusterIP({ rule, comment, chain }: CatalogEntrance): boolean {
  if (rule?.chain.name === 'KUBE-EXTERNAL-SERVICES') return false;
  if (comment === undefined) return /^(?:service|local)-/.test(chain);
  return saysClusterIP(comment) || comment.endsWith(' has no endpoints');
}
