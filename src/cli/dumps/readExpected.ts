import type { Family } from '../../common/addresses/family.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { type CompiledForDump, type DiffReport, diff, rulesOf } from '../../public/core.ts';
import { orThrow } from '../../public/result.ts';
import type { WalkFlags } from './readWalkNode.ts';

/** The other side of a dump. */
export interface ExpectedOnNode {
  /** Beside those of other programs in the dump: a network plug-in masquerades and Docker drops on every node. */
  readonly rules: NodeRules;
  /** Of which the dump shows enough to say that it does otherwise. */
  readonly families: readonly Family[];
  /** What is wrong with the dump compared with it. It takes as long as everything else. */
  readonly judge: () => Promise<DiffReport>;
}

/** The rules that should be on the node of a dump. */
export async function readExpected(
  compiled: CompiledForDump,
  dump: NodeRules,
  { nfacct: hasNfacct, family }: WalkFlags,
): Promise<ExpectedOnNode | undefined> {
  const [{ compiledAsDumped }, { rulesBeside }] = await Promise.all([
    import('../../diff/settle/compiledAsDumped.ts'),
    import('../../behaviour/rulesBeside.ts'),
  ]);
  const asDumped = compiledAsDumped(compiled);
  // One packet meets few of the rules.
  const own = await orThrow(rulesOf(asDumped, { hasNfacct, isOnDemand: true }));
  if (own === undefined) return undefined;
  const { rules, families } = rulesBeside(own, dump, asDumped.model.config.ipvs.excludeCIDRs);
  return { rules, families, judge: () => orThrow(diff(compiled, { hasNfacct, family })) };
}
