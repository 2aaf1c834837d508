import type { Rule } from '../netfilter/iptables/ast.ts';
import { readServicePortName } from './readServicePortName.ts';

/** `namespace/name:port` in the comment of a rule of iptables; empty: it names none. */
export function servicePortOfRule({ words }: Rule): string {
  const comment = words.find((word) => word.kind === 'comment');
  const [first = ''] = comment?.kind === 'comment' ? comment.text.split(' ') : [];
  const named = readServicePortName(first);
  if (named === undefined) return '';
  return named.portName === '' ? named.service : `${named.service}:${named.portName}`;
}
