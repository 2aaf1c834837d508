import type { Value } from '../../common/ranges/valueRange.ts';
import { single } from '../../common/ranges/valueSet.ts';
import type { WalkContext } from '../../walk/context.ts';
import { sourceTowards } from '../../walk/sourceTowards.ts';

/** The address that the node chooses; if it has the destination itself, as in IPVS mode, perhaps only one side does. */
export function ownSource(destination: Value, contexts: readonly WalkContext[]): Value | undefined {
  for (const context of contexts) {
    const source = sourceTowards(single(destination), context);
    if (source !== undefined) return source;
  }
  return undefined;
}
