import type { IpvsDialect } from '../../dialect/ipvs/ipvsDialect.ts';
import { ipvsSets, type SetKey } from '../../dialect/ipvs/ipvsSets.ts';
import type { Match, Rule, SetSide, Word } from '../../netfilter/iptables/ast.ts';
import { comment, inSet as inNamedSet, jumpTo } from '../../netfilter/iptables/print/builders.ts';
import type { NodePlan } from '../../plan/plan.ts';
import type { NodeState } from './nodeState.ts';
import { setName } from './setName.ts';

/** What the rules of one family are written from. */
export interface RuleContext {
  readonly node: NodePlan;
  readonly state: NodeState;
  readonly dialect: IpvsDialect;
}

/** `-m set --match-set NAME dst,dst`. */
export function inSet(key: SetKey, flags: string, { node, dialect }: RuleContext): Match {
  return inNamedSet(setName(key, node.family, dialect), flags.split(',') as SetSide[]);
}

/** The set's comment, then its match. */
export function inCommentedSet(key: SetKey, flags: string, context: RuleContext): readonly Word[] {
  return [comment(ipvsSets[key].comment), inSet(key, flags, context)];
}

/** A rule that looks into a set; it is left out while kube-proxy knows no member of the set. */
export function* whileUsed(
  context: RuleContext,
  key: SetKey,
  flags: string,
  chain: string,
  target: string,
  before: readonly Word[] = [],
): Iterable<Rule> {
  if (!context.state.isUsed(key)) return;
  yield { chain, words: [...before, ...inCommentedSet(key, flags, context)], target: jumpTo(target) };
}
