import { lineCount } from './lines/chainLines.ts';
import type { ToolRules } from './nodeRules.ts';

/**
 * Of several back ends of one kind and family, the one that kube-proxy writes to: Services in another are leftovers.
 */
export function heaviestRules(all: readonly ToolRules[]): readonly ToolRules[] {
  return all.filter((rules) => {
    const rivals = all.filter(({ kind, family }) => kind === rules.kind && family === rules.family);
    if (rivals.length === 1) return true;
    return rivals.reduce((best, one) => (entrances(one) > entrances(best) ? one : best)) === rules;
  });
}

function entrances({ tables }: ToolRules): number {
  let count = 0;
  for (const { chains } of tables.values()) {
    const chain = chains.get('KUBE-SERVICES');
    if (chain !== undefined) count += lineCount(chain);
  }
  return count;
}
