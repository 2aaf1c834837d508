import type { Word } from '../../../netfilter/iptables/ast.ts';

/** The word only looks at the packet, and its result never changes. */
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
