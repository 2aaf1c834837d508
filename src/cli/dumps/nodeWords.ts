import { existsSync } from 'node:fs';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { LiveFlags } from '../options/liveFlags.ts';

/** The name in `node/NAME`, which stands for what that node of the cluster holds; undefined: the word means something else. */
export function nodeOfWord(word: string): string | undefined {
  return /^node\/([a-z0-9][a-z0-9.-]*)$/.exec(word)?.[1];
}

/** Stands for all nodes of the cluster, or for those that `--selector` chooses. */
export const allNodes = 'nodes';

/** Nodes of a cluster that a command reads at once, and holds in memory. */
export const nodesAtOnce = 4;

export function isNodeWord(word: string): boolean {
  return word === allNodes || nodeOfWord(word) !== undefined;
}

/** The nodes that words name one by one, in their order. */
export function nodesNamed(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => nodeOfWord(word) ?? []);
}

/** A question about a cluster that names no node is about all of them. */
export function orAllNodes(words: readonly string[], { live }: LiveFlags): readonly string[] {
  return words.length === 0 && live !== undefined ? [allNodes] : words;
}

/** A word for nodes that may not be contacted, or one that lacks its prefix; undefined: it is a path, or may be. */
export function unaskedNode(word: string, { liveNodes }: LiveFlags): Diagnostic | undefined {
  const isOfNodes = isNodeWord(word);
  const isBare = nodeOfWord(`node/${word}`) !== undefined && !/\.[a-z]+$/.test(word);
  if ((liveNodes === undefined ? !isOfNodes : isOfNodes || !isBare) || existsSync(word)) return undefined;
  return {
    code: 'cannot-read',
    severity: 'error',
    message: `cannot read ${word}: no such file or directory`,
    at: [],
    hint:
      liveNodes !== undefined
        ? `a node of that name is written node/${word}, a Service svc/NAMESPACE/${word}`
        : `--live reads ${word === allNodes ? 'the nodes of the cluster' : 'the node of that name'}, --via ssh without asking the cluster`,
  };
}
