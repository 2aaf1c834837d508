import { cached, type WalkContext } from '../../walk/context.ts';
import { isOfOneService } from '../../walk/input/isOfOneService.ts';
import { sharedWalkChains } from '../../walk/input/walkChains.ts';
import type { WalkChain, WalkTable } from '../../walk/input/walkInput.ts';

/** The chains of a table that belong to no one Service: a few among a hundred thousand. */
export function sharedChains(table: WalkTable, context: WalkContext): readonly WalkChain[] {
  return cached(context, table, () => [...sharedWalkChains(table.chains)].filter((chain) => !isOfOneService(chain)));
}
