import { count } from '../common/text/count.ts';
import { escapeText } from '../common/text/escapeText.ts';
import type { OtherPolicy } from './policyModel.ts';

/** The first line of an answer beside policies that are not read; undefined: there are none. */
export function othersText(others: readonly OtherPolicy[]): string | undefined {
  const whom = othersNamed(others);
  if (whom === undefined) return undefined;
  const isOne = others.length === 1;
  return `unknown: ${whom} ${isOne ? 'decides' : 'decide'} too, and k8snet does not read ${isOne ? 'it' : 'them'}`;
}

/** `CiliumNetworkPolicy shop/db and 2 more policies of such kinds`. */
export function othersNamed([first, ...more]: readonly OtherPolicy[]): string | undefined {
  if (first === undefined) return undefined;
  const { kind, server, namespace, name } = first;
  // Most have kinds of the same names as Kubernetes.
  const owner = kind.startsWith(server) ? '' : `${escapeText(server)}'s `;
  const rest = more.length === 0 ? '' : ` and ${count(more.length, 'more policy', 'more policies')} of such kinds`;
  return `${owner}${escapeText(kind)} ${escapeText(namespace === undefined ? name : `${namespace}/${name}`)}${rest}`;
}
