import { cached, type WalkContext } from '../../walk/context.ts';
import type { WalkChain, WalkTable } from '../../walk/input/walkInput.ts';
import { isOfOneService } from './isOfOneService.ts';

/** The chains of a table that belong to no one Service: a few among a hundred thousand. */
export function sharedChains(table: WalkTable, context: WalkContext): readonly WalkChain[] {
  return cached(context, table, () => [...table.chains.values()].filter((chain) => !isOfOneService(chain)));
}
