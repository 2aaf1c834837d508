import { cut, type ValueSet } from '../../common/ranges/valueSet.ts';
import type { WalkContext } from '../../walk/context.ts';
import type { Flow } from '../../walk/flow.ts';
import { walkStart } from '../../walk/walkFlow.ts';
import { cutCells } from './cutCells.ts';

/**
 * Divides the senders of a flow into cells that no rule of any side divides further. The flow is walked as a set; what
 * remains of it on each of its ways is a cut.
 */
export function sourceCells(
  sources: ValueSet,
  starts: readonly { readonly flow: Flow; readonly context: WalkContext }[],
): readonly ValueSet[] {
  const seen = new Set<ValueSet>();
  let cells: readonly ValueSet[] = [sources];
  for (const { flow, context } of starts) {
    for (const ended of walkStart(flow, context)) {
      const part = ended.flow.entry.source;
      if (part === sources || seen.has(part)) continue;
      seen.add(part);
    }
  }
  // The set of everybody else makes the same cut as the few who are not in it: among thousands of Pods, one endpoint.
  for (const part of seen)
    cells = cutCells(cells, part.length * 2 > sources.length ? cut(sources, part).outside : part);
  return cells;
}
