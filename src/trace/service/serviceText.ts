import type { NodeRules } from '../../node/nodeRules.ts';
import type { IsAsked } from './isAsked.ts';
import { serviceIptables } from './serviceIptables.ts';
import { type ServiceEntrances, serviceIpvs } from './serviceIpvs.ts';
import { serviceNft } from './serviceNft.ts';

/**
 * The rules of one Service (`namespace/name`, or one port of it: `namespace/name:port`) and those that all Services share
 * on its way, in the order in which a packet meets them; what iptables-restore --noflush and nft -f read. `isAnnotated`:
 * over each rule a comment that says what it does. Empty: no rule names the Service. `entrances`: where its object says that
 * it is asked for; rules of IPVS mode tell nothing else of it.
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
