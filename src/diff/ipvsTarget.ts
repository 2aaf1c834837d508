import { iptablesSettings } from '../import/settings/iptablesSettings.ts';
import { isProxyService } from '../netfilter/ipvs/isProxyService.ts';
import type { NodeRules, ToolRules } from '../node/nodeRules.ts';
import { rulesOf } from '../node/rulesOf.ts';

/** What a node in IPVS mode shows of settings; undefined: it does not show it, or it is the default. */
export interface IpvsTarget {
  /** Of all virtual servers. */
  readonly scheduler?: string;
  /** Of all rules that set or test the mark. */
  readonly masqueradeBit?: number;
  readonly masqueradesAll?: true;
}

/** A setting shows in all that depends on it: where only a part differs, somebody changed that part. */
export function ipvsTarget({ iptables, ipvs }: NodeRules): IpvsTarget {
  const scheduler = only(ipvs.flatMap(schedulersIn));
  const mark = only(iptables.flatMap(marksIn));
  const masqueradeBit = mark !== undefined && mark > 0 ? Math.log2(mark) : undefined;
  const seen = iptables.map(iptablesSettings);
  const masqueradesAll = only(seen.flatMap(({ masqueradesAll: all }) => all ?? []));
  return {
    ...(scheduler !== undefined && scheduler !== 'rr' && { scheduler }),
    ...(masqueradeBit !== undefined && masqueradeBit !== 14 && Number.isInteger(masqueradeBit) && { masqueradeBit }),
    ...(masqueradesAll && { masqueradesAll }),
  };
}

function only<T>(values: readonly T[]): T | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

function schedulersIn({ tables }: ToolRules): readonly string[] {
  return [...(tables.get('ipvs')?.chains.values() ?? [])].flatMap(({ content }) =>
    content?.kind === 'virtualServer' && isProxyService(content.service) && content.service.isCounted !== true
      ? content.service.scheduler
      : [],
  );
}

function marksIn({ tables, family }: ToolRules): readonly number[] {
  return markChains.flatMap(([table, name]) => {
    const chain = tables.get(table)?.chains.get(name);
    if (chain === undefined) return [];
    return rulesOf(chain, family).flatMap(({ words, target }) => [
      ...words.flatMap((word) => (word.kind === 'mark' ? word.value >>> 0 : [])),
      ...(target?.kind === 'mark' ? [target.value >>> 0] : []),
    ]);
  });
}

const markChains = [
  ['nat', 'KUBE-MARK-MASQ'],
  ['nat', 'KUBE-POSTROUTING'],
  ['filter', 'KUBE-FORWARD'],
] as const;
