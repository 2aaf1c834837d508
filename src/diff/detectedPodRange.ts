import { escapeText } from '../common/escapeText.ts';
import { linesOf } from '../node/chainLines.ts';
import { isProxyTable } from '../node/foreignPrograms.ts';
import type { ToolRules } from '../node/nodeRules.ts';
import type { Compiled } from '../pipeline/compile.ts';

/**
 * Notes where a dump tells Pods by another clusterCIDR than the one that was compiled with, or by one where none was
 * given: a forgotten option looks like a fault of every Service.
 */
export function detectedPodRange({ model, plans }: Compiled, found: readonly ToolRules[], notes: string[]): void {
  if (model.config.detectLocal.kind !== 'clusterCIDR') return;
  for (const { family, node } of plans) {
    const own = node.localDetector?.kind === 'cidr' ? node.localDetector.cidr : undefined;
    for (const set of found) {
      const range = set.family === family ? podRangeIn(set) : undefined;
      if (range === undefined || range === own) continue;
      const shown = escapeText(range);
      notes.push(
        own === undefined
          ? `kube-proxy of this dump knows Pods by ${shown}, and no clusterCIDR was given: add --cluster-cidr ${shown}`
          : `kube-proxy of this dump knows Pods by ${shown}, not by ${own}: one clusterCIDR is wrong`,
      );
      break;
    }
  }
}

/** Enough to find one with endpoints. */
const mostChains = 50;

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

const marking =
  /(?: ! -s \S+ .*-j KUBE-MARK-MASQ| saddr != \S+ jump mark-for-masquerade|@cluster-ips ip6? saddr != \S+ meta mark set .*)$/;
