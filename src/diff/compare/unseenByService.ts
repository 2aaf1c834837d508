import type { UnseenRules } from '../../compare/unseenRules.ts';
import type { ChainContent } from '../../node/ruleChain.ts';
import { nftServiceName } from '../../seen/names/nftServiceName.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import { servicesByLine } from '../../seen/names/servicesByLine.ts';

/**
 * How many rules a side may hold in lines that it lost, by Service (`namespace/name`); under an empty name those of no
 * Service in particular. `portOfServer`: the Service port that manifests have a virtual server for.
 */
export function unseenByService(
  unseen: readonly UnseenRules[],
  portOfServer: (content: ChainContent | undefined) => string | undefined = () => undefined,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { chain, lines } of unseen) {
    const own = chain.owner ?? portOfServer(chain.content) ?? nftServiceName(chain.name);
    for (const at of lines) {
      const port = chain.owners?.[at] ?? own;
      const service = port === undefined ? (servicesByLine(chain)[at] ?? '') : serviceOfPort(port);
      counts.set(service, (counts.get(service) ?? 0) + 1);
    }
  }
  return counts;
}

/** Of all of them, or of one Service. */
export function countUnseen(counts: ReadonlyMap<string, number>, only: string | undefined): number {
  if (only !== undefined) return counts.get(only) ?? 0;
  let all = 0;
  for (const one of counts.values()) all += one;
  return all;
}
