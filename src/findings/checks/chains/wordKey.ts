import type { Word } from '../../../netfilter/iptables/ast.ts';
import { isPlainQuestion } from './isPlainQuestion.ts';

/** A question about the packet alone, the same whenever it is asked; empty: nothing is asked. */
export function wordKey(word: Word): string | undefined {
  if (!isPlainQuestion(word)) return undefined;
  if (word.kind !== 'transport') return JSON.stringify(word);
  const { protocol, destinationPort, destinationPortNegated, sourcePort, sourcePortNegated } = word;
  if (destinationPort === undefined && sourcePort === undefined) return '';
  return `${protocol} ${destinationPortNegated ? '!' : ''}${destinationPort} ${sourcePortNegated ? '!' : ''}${sourcePort}`;
}
