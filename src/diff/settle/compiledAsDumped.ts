import { memoized } from '../../common/memoized.ts';
import { noObjectFacts } from '../../findings/checks/objectFacts.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import type { DiffOptions } from '../diffOptions.ts';
import type { CompiledForDump } from './compileForDump.ts';
import { likelyVersion } from './mostLikeVersion.ts';
import { versionsWith } from './versionsShown.ts';

/**
 * What should be on the node of a dump, for somebody who follows packets through it. Where nobody named the version of
 * kube-proxy, it is that which wrote the dump: of those that may have, the one whose rules differ least. Another one may
 * treat packets otherwise on a node that is in order.
 */
export const compiledAsDumped = memoized(
  ({ compiled, facts, dump, search, hasNfacct }: CompiledForDump): Compiled =>
    compiled.isVersionKnown ? compiled : asLikely(compiled, dump, { ...facts, search, hasNfacct }),
);

/** The same for objects that only name what stands in the dump: to them the version matters if it reads them otherwise. */
export function readAsDumped(compiled: Compiled, dump: NodeRules): Compiled {
  return compiled.readAs === undefined ? compiled : asLikely(compiled, dump, { ...noObjectFacts, hasNfacct: false });
}

function asLikely(compiled: Compiled, dump: NodeRules, known: Omit<DiffOptions, 'level' | 'family'>): Compiled {
  const options = { ...known, level: 'rules', family: 'both' } as const;
  return likelyVersion(compiled, dump, options, versionsWith(compiled, dump)) ?? compiled;
}
