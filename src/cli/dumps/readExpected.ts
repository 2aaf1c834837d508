import type { NodeRules } from '../../node/nodeRules.ts';
import { type CompiledForDump, type DiffReport, diff, rulesOf } from '../../public/core.ts';
import { orThrow } from '../../public/result.ts';
import type { WalkFlags } from './readWalkNode.ts';

/** The other side of a dump. */
export interface ExpectedOnNode {
  readonly rules: NodeRules;
  /** What is wrong with the dump compared with it. It takes as long as everything else. */
  readonly judge: () => Promise<DiffReport>;
}

/** The rules that should be on the node of a dump. */
export async function readExpected(
  compiled: CompiledForDump,
  { nfacct: hasNfacct, family }: WalkFlags,
): Promise<ExpectedOnNode | undefined> {
  const { compiledAsDumped } = await import('../../diff/settle/compiledAsDumped.ts');
  // One packet meets few of the rules.
  const rules = await orThrow(rulesOf(compiledAsDumped(compiled), { hasNfacct, isOnDemand: true }));
  return rules && { rules, judge: () => orThrow(diff(compiled, { hasNfacct, family })) };
}
