import { cached, type WalkContext } from '../context.ts';
import type { WalkChain, WalkRule } from './walkInput.ts';

/** The rules of a chain, made once for each walk. */
export function chainRules(chain: WalkChain, context: WalkContext): readonly WalkRule[] {
  return cached(context, chain, () => chain.rules());
}
