import { noObjectFacts } from '../../findings/checks/objectFacts.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import type { CompiledForDump } from './compileForDump.ts';
import { likelyVersion } from './mostLikeVersion.ts';
import { versionsWith } from './versionsShown.ts';

/**
 * What should be on the node of a dump, for somebody who follows packets through it. Where nobody named the version of
 * kube-proxy, it is that which wrote the dump: of those that may have, the one whose rules differ least. Another one may
 * treat packets otherwise on a node that is in order.
 */
export function compiledAsDumped({ compiled, facts, dump, search, hasNfacct }: CompiledForDump): Compiled {
  if (compiled.isVersionKnown) return compiled;
  const options = { ...facts, level: 'rules', family: 'both', search, hasNfacct } as const;
  return likelyVersion(compiled, dump, options, versionsWith(compiled, dump)) ?? compiled;
}

/** The same for objects that only name what stands in the dump: to them the version matters if it reads them otherwise. */
export function readAsDumped(compiled: Compiled, dump: NodeRules): Compiled {
  if (compiled.readAs === undefined) return compiled;
  const options = { ...noObjectFacts, level: 'rules', family: 'both', hasNfacct: false } as const;
  return likelyVersion(compiled, dump, options, versionsWith(compiled, dump)) ?? compiled;
}
