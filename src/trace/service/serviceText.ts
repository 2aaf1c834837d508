import type { NodeRules } from '../../node/nodeRules.ts';
import type { IsAsked } from './isAsked.ts';
import { serviceIptables } from './serviceIptables.ts';
import { type ServiceEntrances, serviceIpvs } from './serviceIpvs.ts';
import { serviceNft } from './serviceNft.ts';

/**
 * The rules of one Service (`namespace/name`, or one port of it: `namespace/name:port`) and those that all Services
 * share on its way, in the order in which a packet meets them; iptables-restore --noflush and nft -f can read them.
 * `isAnnotated`: a comment above each rule says what it does. Empty: no rule names the Service. `entrances`: addresses
 * and ports from its object, the only way to find rules of IPVS mode.
 */
export function* serviceText(
  node: NodeRules,
  asked: string,
  isAnnotated: boolean,
  entrances: readonly ServiceEntrances[] = [],
): Iterable<string> {
  const isAsked: IsAsked = (service) =>
    service !== undefined && (service === asked || (!asked.includes(':') && service.startsWith(`${asked}:`)));
  if (node.ipvs.length > 0 && entrances.length > 0) yield* serviceIpvs(node, entrances, isAnnotated);
  else for (const rules of node.iptables) yield* serviceIptables(rules, isAsked, isAnnotated);
  for (const rules of node.nft) yield* serviceNft(rules, isAsked, isAnnotated);
}
