import type { IpvsDialect } from '../../dialect/ipvs/ipvsDialect.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { comment, jumpTo } from '../../netfilter/iptables/print/builders.ts';

/**
 * The rules in a table's built-in chains that lead to kube-proxy's, in the order of its calls; each is inserted at the
 * top of its chain, so the last call comes first.
 */
export function jumpRules(table: 'filter' | 'nat', dialect: IpvsDialect): readonly Rule[] {
  return dialect.jumps
    .filter((jump) => jump.table === table)
    .map((jump) => ({ chain: jump.from, words: [comment(jump.comment)], target: jumpTo(jump.to) }));
}
