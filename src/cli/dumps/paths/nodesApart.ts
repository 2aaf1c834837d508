import { isFolder } from './isFolder.ts';
import { areNamedAfterNodes, nodesInFolder } from './nodesInFolder.ts';

/**
 * The nodes of a folder, or of files, that stand where one node is meant, or may be; undefined: they are one. What names of files say is not
 * enough there: two of them must have kube-proxy's rules of one family, and only such files count.
 */
export async function nodesApart(
  words: readonly string[],
  textOf: (path: string) => string | Promise<string>,
): Promise<readonly string[] | undefined> {
  const nodes = namedNodes(words);
  if (nodes === undefined || nodes.some(isFolder)) return nodes;
  const holding: string[] = [];
  const told = new Set<string>();
  let isTwice = false;
  for (const path of nodes) {
    const parts = proxyParts(await textOf(path));
    if (parts.length > 0) holding.push(path);
    isTwice ||= parts.some((part) => told.has(part));
    for (const part of parts) told.add(part);
  }
  return isTwice ? holding : undefined;
}

function namedNodes(words: readonly string[]): readonly string[] | undefined {
  const [only = '', ...more] = words;
  if (more.length === 0) return isFolder(only) ? nodesInFolder(only) : undefined;
  return words.some(isFolder) || words.includes('-') || !areNamedAfterNodes(words) ? undefined : words;
}

/** What a dump has of kube-proxy that a node has once: chains in nat of one family, its table of nftables. */
function proxyParts(text: string): readonly string[] {
  const tables = new Set([...text.matchAll(/^table (ip6?) kube-proxy\b/gm)].map(([, family]) => `nft ${family}`));
  if (!/^\*nat\r?$/m.test(text) || !text.includes('-A KUBE-')) return [...tables];
  const families = [/^-A KUBE-.* -[sd] \d+\./m, /^-A KUBE-.* -[sd] [\da-f]*:/m].flatMap((asks, at) =>
    asks.test(text) ? `nat ${at}` : [],
  );
  return [...tables, ...families];
}
