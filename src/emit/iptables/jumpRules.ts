import type { BuiltinJump, IptablesDialect } from '../../dialect/iptables/iptablesDialect.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { comment, connectionState, jumpTo } from '../../netfilter/iptables/print/builders.ts';
import type { TableName } from './ruleSink.ts';

/** A rule in a built-in chain that leads to kube-proxy's chains. */
export interface JumpRule {
  readonly table: TableName;
  readonly rule: Rule;
}

/**
 * The jumps that kube-proxy makes at each full sync, in the order of its calls. Each is inserted at the top of its
 * chain, so the last call for a chain comes first.
 */
export function jumpRules(dialect: IptablesDialect): readonly JumpRule[] {
  return dialect.jumps.map((jump) => ({ table: jump.table, rule: jumpRule(jump) }));
}

function jumpRule(jump: BuiltinJump): Rule {
  return {
    chain: jump.from,
    words: [
      ...(jump.onlyNew ? [connectionState(['NEW'])] : []),
      ...(jump.comment === '' ? [] : [comment(jump.comment)]),
    ],
    target: jumpTo(jump.to),
  };
}
