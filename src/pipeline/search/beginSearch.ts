import type { SearchEndpoints } from '../../node/chains/endpointSearch.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { rulesBackendOf } from '../backends/rulesBackends.ts';
import type { Compiled } from '../compile.ts';

/** Starts long searches in a dump, as far as possible, before the comparison gets to them. */
export function beginSearch({ dialect, plans }: Compiled, dump: NodeRules, search: SearchEndpoints): void {
  const { begin } = rulesBackendOf(dialect);
  if (begin !== undefined) for (const plan of plans) begin(dialect, plan, dump, search);
}
