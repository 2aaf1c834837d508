import type { NodeRules } from '../node/nodeRules.ts';
import { rulesBackendOf } from './backends/rulesBackends.ts';
import type { Compiled } from './compile.ts';

/** Has what takes long looked for in a dump, as far as it can be done, before the comparison comes to it. */
export function beginSearch({ dialect, plans }: Compiled, dump: NodeRules): void {
  const { search } = rulesBackendOf(dialect);
  if (search !== undefined) for (const plan of plans) search(dialect, plan, dump);
}
