import { basename, resolve } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { SearchEndpoints } from '../../node/chains/endpointSearch.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { readDump } from '../../public/core.ts';
import { orThrow } from '../../public/result.ts';
import { begunDump } from '../long/begunDump.ts';
import { readLongNodeDump } from '../long/readLongNodeDump.ts';
import type { FactFlags } from '../options/factOptions.ts';
import { factFiles } from '../options/factOptions.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import type { TargetFlags } from '../options/targetOptions.ts';
import type { Messages } from '../write/messages.ts';
import { nodeOfWord } from './nodeWords.ts';
import { isFolder } from './paths/isFolder.ts';
import { nodesApart } from './paths/nodesApart.ts';
import { nodeInArchive, nodesOfArchive, readDumpFiles } from './readDumpFiles.ts';
import { readNodeDump } from './readNodeDump.ts';

/** The words, with an archive replaced by its nodes. */
export async function withArchiveNodes(words: readonly string[]): Promise<readonly string[]> {
  const each = words.map(async (word) => (await nodesOfArchive(word))?.map((node) => `${word}:${node}`) ?? [word]);
  return (await Promise.all(each)).flat();
}

/**
 * The words for each node: a node of the cluster, a folder, an archive; files are the output of one node's tools, unless they are those of
 * several. A folder of several nodes stands for these.
 */
export async function nodeGroups(
  words: readonly string[],
  { liveNodes }: LiveFlags,
): Promise<readonly (readonly string[])[]> {
  const isWhole = (word: string) =>
    isFolder(word) || nodeInArchive(word) !== undefined || (liveNodes !== undefined && nodeOfWord(word) !== undefined);
  const files = words.filter((word) => !isWhole(word));
  const each = words.filter(isWhole).map(async (word) => (await nodesApart([word], textsOf)) ?? [word]);
  const nodes = (await Promise.all(each)).flat().map((word) => [word]);
  if (files.length === 0) return nodes;
  const apart = await nodesApart(files, textsOf);
  return [...(apart?.map((file) => [file]) ?? [files]), ...nodes];
}

/** What cannot be read is reported where it is read as a dump. */
async function textsOf(path: string): Promise<string> {
  const files = (await readDumpFiles(path, () => undefined)) ?? [];
  return files.map(({ text }) => text).join('\n');
}

/** Begins to read the dump of the only node in the background, if it is one long file. */
export function beginCheckedNode(
  groups: readonly (readonly string[])[],
  options: FactFlags & TargetFlags,
): ReturnType<typeof readLongNodeDump> {
  const [group = [], ...others] = groups;
  const isAlone = others.length === 0 && factFiles(options).length === 0;
  return isAlone ? readLongNodeDump(group, options.family, 'checks and search') : undefined;
}

/** What was read of the nodes, and a search for chains in the only one. */
export interface CheckedNodes {
  readonly nodes: readonly NodeRules[];
  readonly search?: SearchEndpoints | undefined;
}

/**
 * The contents of the nodes. A node of the cluster that cannot be read is named in a warning, and counts as not
 * checked.
 */
export async function readCheckedNodes(
  groups: readonly (readonly string[])[],
  options: LiveFlags & FactFlags & TargetFlags,
  messages: Messages,
  long: ReturnType<typeof readLongNodeDump>,
): Promise<CheckedNodes> {
  const nodes: NodeRules[] = [];
  let search: SearchEndpoints | undefined;
  for (const group of groups) {
    const [path = ''] = group;
    const node = nodeOfWord(path);
    if (options.liveNodes !== undefined && node !== undefined) {
      const files = await options.liveNodes.node(node, (problem) => messages.report(lessened(problem)));
      if (files !== undefined) nodes.push(await orThrow(readDump(files, { name: node, family: familyOf(options) })));
      continue;
    }
    const how = { family: options.family, facts: factFiles(options), liveNodes: options.liveNodes, isCompared: true };
    const begun = await begunDump(long, (bytes) => readNodeDump(group, { ...how, bytes }, messages));
    const read = begun.dump;
    search = begun.search;
    const ofFolder = group.length === 1 && isFolder(path) ? basename(resolve(path)) : read?.name;
    const name = options.node ?? nodeInArchive(path)?.node ?? ofFolder;
    if (read !== undefined) nodes.push({ ...read, name: name ?? read.name });
  }
  return { nodes, search };
}

function familyOf({ family }: TargetFlags) {
  return family === 'both' ? undefined : family;
}

/** What others show is judged all the same. */
function lessened(problem: Diagnostic): Diagnostic {
  return problem.severity === 'error' ? { ...problem, severity: 'warning' } : problem;
}
