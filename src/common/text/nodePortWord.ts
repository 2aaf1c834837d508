/** Words that nodePortAddresses accepts instead of networks: `primary` since 1.31, the others since 1.37. */
export type NodePortWord = 'primary' | 'localhost' | 'all';

export function isNodePortWord(text: string): text is NodePortWord {
  return text === 'primary' || text === 'localhost' || text === 'all';
}
