import { linesOf } from './chainLines.ts';
import { isProxyTable } from './foreignPrograms.ts';
import type { ToolRules } from './nodeRules.ts';

/** The range by which rules tell what comes from Pods: that of the cluster, or of the node. */
export function podRangeIn({ kind, tables }: ToolRules): string | undefined {
  const table = kind === 'nftables' ? [...tables.values()].find(({ name }) => isProxyTable(name)) : tables.get('nat');
  let asked = 0;
  // Through 1.21, and in IPVS mode, the rule stands in KUBE-SERVICES; in nftables mode of 1.36 in services.
  for (const chain of table?.chains.values() ?? []) {
    if (!/^(?:KUBE-SERVICES$|KUBE-SVC-|services$|service-[A-Z0-9]{8}-)/.test(chain.name)) continue;
    const line = linesOf(chain).find((one) => marking.test(one));
    const range = line === undefined ? undefined : / (?:! -s|saddr !=) (\S+) /.exec(line)?.[1];
    if (range !== undefined) return range;
    asked += 1;
    if (asked > mostChains) return undefined;
  }
  return undefined;
}

/** Enough to find one with endpoints. */
const mostChains = 50;

const marking =
  /(?: ! -s \S+ .*-j KUBE-MARK-MASQ| saddr != \S+ jump mark-for-masquerade|@cluster-ips ip6? saddr != \S+ meta mark set .*)$/;
