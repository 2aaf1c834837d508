import type { NodeRules } from '../node/nodeRules.ts';
import { serviceIptables } from './serviceIptables.ts';
import { serviceNft } from './serviceNft.ts';

/**
 * The rules of one Service (`namespace/name`, or one port of it: `namespace/name:port`) and those that all Services share
 * on its way, in the order in which a packet meets them; what iptables-restore --noflush and nft -f read. `isAnnotated`:
 * over each rule a comment that says what it does. Empty: no rule names the Service.
 */
export function* serviceText(node: NodeRules, asked: string, isAnnotated: boolean): Iterable<string> {
  const isAsked: IsAsked = (service) =>
    service !== undefined && (service === asked || (!asked.includes(':') && service.startsWith(`${asked}:`)));
  for (const rules of node.iptables) yield* serviceIptables(rules, isAsked, isAnnotated);
  for (const rules of node.nft) yield* serviceNft(rules, isAsked, isAnnotated);
}

/** Whether `namespace/name:port`, as rules name it, is what was asked for. */
export type IsAsked = (service: string | undefined) => boolean;
