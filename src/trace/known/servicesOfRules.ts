import type { Value } from '../../common/ranges/valueRange.ts';
import { saysClusterIP } from '../../seen/names/serviceInComment.ts';
import type { WalkInput } from '../../walk/input/walkInput.ts';
import type { NamedService } from '../question/namedThings.ts';
import { ruleEntrances } from './ruleEntrances.ts';

/** Services with their cluster IPs, from comments of rules and names of chains: a dump has no other names. */
export function servicesOfRules(inputs: readonly WalkInput[]): readonly NamedService[] {
  const services = new Map<string, Draft>();
  for (const input of inputs) {
    for (const { service, address, port, comment, chain, rule } of ruleEntrances(input)) {
      if (service === undefined || address === undefined || port === undefined) continue;
      if (rule?.chain.name === 'KUBE-EXTERNAL-SERVICES' || !isClusterIP(comment, chain)) continue;
      const [name = '', portName = ''] = service.split(':');
      let known = services.get(name);
      if (known === undefined) {
        known = { addresses: new Set(), ports: new Map() };
        services.set(name, known);
      }
      known.addresses.add(address);
      known.ports.set(`${portName} ${port}`, { name: portName, number: port });
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
  readonly ports: Map<string, NamedService['ports'][number]>;
}

/** In iptables mode the comment shows it; in nftables mode other addresses lead to separate chains. */
function isClusterIP(comment: string | undefined, chain: string): boolean {
  if (comment === undefined) return /^(?:service|local)-/.test(chain);
  return saysClusterIP(comment) || comment.endsWith(' has no endpoints');
}
