import type { Word } from '../../../netfilter/iptables/ast.ts';

/** The word asks about the packet alone, and gets the same answer whenever it is asked. */
export function isPlainQuestion(word: Word): boolean {
  switch (word.kind) {
    case 'source':
    case 'destination':
    case 'inInterface':
    case 'outInterface':
    case 'protocol':
    case 'addrtype':
      return true;
    case 'transport':
      return word.options === undefined || word.options.length === 0;
    default:
      return false;
  }
}
