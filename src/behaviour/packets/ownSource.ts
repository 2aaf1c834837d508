import type { Value } from '../../netfilter/meaning.ts';
import type { WalkContext } from '../../walk/context.ts';
import { sourceTowards } from '../../walk/sourceTowards.ts';
import { single } from '../../walk/values/valueSet.ts';

/** The address that the node chooses; if it has the destination itself, as in IPVS mode, perhaps only one side does. */
export function ownSource(destination: Value, contexts: readonly WalkContext[]): Value | undefined {
  for (const context of contexts) {
    const source = sourceTowards(single(destination), context);
    if (source !== undefined) return source;
  }
  return undefined;
}
