import { isFolder } from '../../dumps/paths/isFolder.ts';
import { areNamedAfterNodes, isArchive, nodesInFolder } from '../../dumps/paths/nodesInFolder.ts';
import type { FleetPath } from './fleetEntry.ts';

/**
 * The nodes that words name, in their order: a folder with folders or files of nodes stands for these, by name; an
 * archive of several nodes stands for those in it; any other word is one node. Undefined: the words are about one node,
 * as far as they show without `isAsked`, which takes each word for a node.
 */
export async function fleetPaths(
  words: readonly string[],
  isAsked: boolean,
): Promise<readonly FleetPath[] | undefined> {
  if (words.length === 0 || words.includes('-')) return undefined;
  const [only = ''] = words;
  if (words.length === 1) {
    const inside = isFolder(only) ? nodesInFolder(only, isAsked) : undefined;
    if (inside !== undefined) return inside.map(nodePath);
    if (isArchive(only) && (await holdsSeveral(only))) return [{ kind: 'archive', path: only }];
    return isAsked ? [nodePath(only)] : undefined;
  }
  if (!isAsked && !words.every(isWhole) && !areNamedAfterNodes(words)) return undefined;
  const paths: FleetPath[] = [];
  for (const word of words) {
    const inside = isFolder(word) ? nodesInFolder(word) : undefined;
    if (inside !== undefined) for (const path of inside) paths.push(nodePath(path));
    else paths.push({ kind: isArchive(word) && (await holdsSeveral(word)) ? 'archive' : 'node', path: word });
  }
  return paths;
}

/** The package that reads archives is loaded only for them. */
async function holdsSeveral(path: string): Promise<boolean> {
  return (await import('./archiveNodes.ts')).holdsSeveralNodes(path);
}

function nodePath(path: string): FleetPath {
  return { kind: isArchive(path) ? 'archive' : 'node', path };
}

/** Everything that a node shows is in it. */
function isWhole(word: string): boolean {
  return isFolder(word) || isArchive(word);
}
