import type { Rule } from '../../netfilter/iptables/ast.ts';
import { readServicePortName, type ServicePortName } from './readServicePortName.ts';

/** The Service port that a kube-proxy comment names, and what the comment says about it. */
export interface CommentedService extends ServicePortName {
  /** The text behind the name: `cluster IP`, `-> 10.244.1.7:8080`; empty if there is none. */
  readonly what: string;
}

/**
 * Reads `shop/web:http cluster IP`, `shop/web -> 10.244.1.7:80`, and `masquerade traffic for shop/web:http external
 * destinations`. Undefined: not in the form of kube-proxy's comments.
 */
export function serviceInComment(comment: string | undefined): CommentedService | undefined {
  if (comment === undefined) return undefined;
  const text = comment.replace(purpose, '');
  const at = text.indexOf(' ');
  const named = readServicePortName(at === -1 ? text : text.slice(0, at));
  return named && { ...named, what: at === -1 ? '' : text.slice(at + 1) };
}

/** The rule serves a cluster IP, by kube-proxy's comment (iptables mode, since 1.1): `shop/web:http cluster IP`. */
export function saysClusterIP(comment: string | undefined): boolean {
  return serviceInComment(comment)?.what === 'cluster IP';
}

/** The Service port that a rule of iptables names: its first comment that names a Service port counts. */
export function serviceOfRule({ words }: Rule): CommentedService | undefined {
  for (const word of words) {
    const named = word.kind === 'comment' ? serviceInComment(word.text) : undefined;
    if (named !== undefined) return named;
  }
  return undefined;
}

/**
 * Texts in front of the name: KUBE-XLB through 1.23 counts its rules, KUBE-EXT since 1.24 says whose traffic it takes.
 */
const purpose = /^(?:[a-zA-Z]+ (?:LOCAL )?traffic (?:for|to)|Balancing rule \d+ for) /;
