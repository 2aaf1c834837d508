import type { Word } from '../../netfilter/iptables/ast.ts';

/** A question about the packet alone, the same whenever it is asked; empty: nothing is asked. */
export function wordKey(word: Word): string | undefined {
  switch (word.kind) {
    case 'source':
    case 'destination':
    case 'inInterface':
    case 'outInterface':
    case 'protocol':
    case 'addrtype':
      return JSON.stringify(word);
    case 'transport': {
      if (word.options !== undefined && word.options.length > 0) return undefined;
      const { protocol, destinationPort, destinationPortNegated, sourcePort, sourcePortNegated } = word;
      if (destinationPort === undefined && sourcePort === undefined) return '';
      return `${protocol} ${destinationPortNegated ? '!' : ''}${destinationPort} ${sourcePortNegated ? '!' : ''}${sourcePort}`;
    }
    default:
      return undefined;
  }
}
