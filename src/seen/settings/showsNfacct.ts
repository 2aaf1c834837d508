import type { NodeRules } from '../../node/nodeRules.ts';
import { pickRules } from '../../node/pickRules.ts';

/** Whether kube-proxy's rules count packets with nfacct, as since 1.31 if the kernel has it. */
export function showsNfacct({ iptables }: NodeRules): boolean {
  return iptables.some(({ family, tables }) =>
    countingChains.some(([table, name]) => {
      for (const { rule } of pickRules(tables.get(table)?.chains.get(name), family, { holds: [' nfacct '] })) {
        if (rule.words.some(({ kind }) => kind === 'nfacct')) return true;
      }
      return false;
    }),
  );
}

const countingChains = [
  ['filter', 'KUBE-FORWARD'],
  ['filter', 'KUBE-FIREWALL'],
  ['nat', 'KUBE-NODEPORTS'],
] as const;
