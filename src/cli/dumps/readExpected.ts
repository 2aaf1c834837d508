import type { Finding } from '../../findings/finding.ts';
import type { FixNames } from '../../findings/fixNames.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { compileForDump, diff, rulesOf } from '../../public/core.ts';
import { orThrow, told } from '../../public/result.ts';
import type { ReadInput } from '../objects/readInput.ts';
import type { WalkFlags, WalkNode } from './readWalkNode.ts';

/** The compiled rules for the node of a dump, and what is wrong with the dump compared with them. */
export async function readExpected(
  { objects, options: target }: ReadInput,
  dump: NodeRules,
  { search, ...options }: WalkFlags & Pick<WalkNode, 'search'>,
): Promise<
  { readonly rules: NodeRules; readonly findings: readonly Finding[]; readonly names?: FixNames } | undefined
> {
  // Their problems were reported when the dump was walked.
  const compiled = await told(compileForDump(objects, dump, { ...target, search }), () => {});
  if (compiled === undefined) return undefined;
  const { findings, names } = await orThrow(diff(compiled, { hasNfacct: options.nfacct, family: options.family }));
  // One packet meets few of the rules.
  const rules = await orThrow(rulesOf(compiled.compiled, { hasNfacct: options.nfacct, isOnDemand: true }));
  return rules && { rules, findings, ...(names && { names }) };
}
