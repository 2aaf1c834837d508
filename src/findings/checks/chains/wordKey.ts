import type { Word } from '../../../netfilter/iptables/ast.ts';
import { isPlainQuestion } from './isPlainQuestion.ts';

/** A condition that only looks at the packet and never changes; empty: there is none. */
export function wordKey(word: Word): string | undefined {
  if (!isPlainQuestion(word)) return undefined;
  if (word.kind !== 'transport') return JSON.stringify(word);
  const { protocol, destinationPort, destinationPortNegated, sourcePort, sourcePortNegated } = word;
  if (destinationPort === undefined && sourcePort === undefined) return '';
  return `${protocol} ${destinationPortNegated ? '!' : ''}${destinationPort} ${sourcePortNegated ? '!' : ''}${sourcePort}`;
}
