import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Family } from '../../common/addresses/family.ts';
import { count } from '../../common/text/count.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { DumpFile } from '../../dump/dumpFile.ts';
import { factFiles } from '../../dump/factFiles.ts';
import { isObjects } from '../../dump/paste/isObjects.ts';
import type { SoundLines } from '../../dump/soundLines.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import { everyTool } from '../../node/ruleKinds.ts';
import { readDump } from '../../public/core.ts';
import { orThrow } from '../../public/result.ts';
import type { FactFile } from '../options/factOptions.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import { nodeOfWord, unaskedNode } from './nodeWords.ts';
import { notADump } from './notADump.ts';
import { dumpPaths } from './paths/dumpPaths.ts';
import { isFolder } from './paths/isFolder.ts';
import { nodesApart } from './paths/nodesApart.ts';
import { readDumpFiles } from './readDumpFiles.ts';
import { readLiveNode, type Said, withEachNode } from './readNodes.ts';

/** How the dumps of a node are read. */
export interface DumpReading extends LiveFlags {
  readonly family: Family | 'both' | undefined;
  /** Facts given by options, which say their kind. */
  readonly facts?: readonly FactFile[];
  /** Only for a comparison does it count that a tool had nothing to show. */
  readonly isCompared: boolean;
  /** The bytes of the only path, if they were read already. */
  readonly bytes?: Buffer | undefined;
  /** Texts of the words, if they were read already. */
  readonly texts?: readonly DumpFile[] | undefined;
  /** Lines that were readable in dumps of other nodes. */
  readonly sound?: SoundLines | undefined;
}

/**
 * Reads the dumps of one node that a command line names: files, folders with files, `-`, a node of the cluster, and the
 * facts. Undefined: it holds no rules.
 */
export async function readNodeDump(
  words: readonly string[],
  how: DumpReading,
  messages: Said,
): Promise<NodeRules | undefined> {
  const { report } = messages;
  const paths = await withEachNode(words, how, messages);
  if (refuseNodes(paths, how, report)) return undefined;
  const files = await dumpFilesOf(paths, how, messages);
  if (files === undefined || (await refuseFolder(paths, files, report))) return undefined;
  const objects = files.filter((file) => isNamed(file, paths) && file.kind === undefined && isObjects(file.text));
  if (objects.length > 0) {
    for (const file of objects)
      report({ ...notADump(basename(file.name), [file], undefined), hint: withObjects(file) });
    return undefined;
  }
  const name = paths.map((path) => (path === '-' ? 'standard input' : basename(path))).join(', ');
  const family = how.family === 'both' ? undefined : how.family;
  const dump = await orThrow(readDump(files, { name, family, sound: how.sound }));
  const sets = how.isCompared ? everyTool(dump) : everyTool(dump).filter(holdsSomething);
  // Facts alone are combined with compiled rules.
  const saysSomething = !how.isCompared && (paths.length === 0 || dump.network.sysctls.size > 0);
  if (sets.length === 0 && dump.hiddenTables.length === 0 && !saysSomething) {
    report(notADump(name, files, dump));
    return undefined;
  }
  return dump;
}

/** Whether the words name nodes that may not be contacted, or several if only one is allowed. */
function refuseNodes(paths: readonly string[], how: DumpReading, report: Report): boolean {
  const unasked = paths.flatMap((path) => unaskedNode(path, how) ?? []);
  for (const problem of unasked) report(problem);
  const nodes = how.liveNodes === undefined ? [] : paths.filter((path) => nodeOfWord(path) !== undefined);
  if (nodes.length > 1) {
    const message = `one node is looked at here, and ${firstFew(nodes, 3)} are ${nodes.length}`;
    report({
      code: 'bad-option',
      severity: 'error',
      message,
      at: [],
      hint: 'name one; for a packet, that of its sender',
    });
  }
  return unasked.length > 0 || nodes.length > 1;
}

/** Whether the only word is a folder of several nodes, whose rules together are those of none. Files are named one by one. */
async function refuseFolder(
  [folder = '', ...more]: readonly string[],
  files: readonly DumpFile[],
  report: Report,
): Promise<boolean> {
  if (more.length > 0) return false;
  const nodes = await nodesApart([folder], (path) => files.find(({ name }) => name === path)?.text ?? '');
  if (nodes === undefined || nodes.length < 2) return false;
  const names = nodes.map((path) => basename(path));
  report({
    code: 'bad-option',
    severity: 'error',
    message: `one node is looked at here, and ${folder} holds ${count(nodes.length, 'node')}: ${firstFew(names, 3)}`,
    at: [],
    hint: `name the one that is meant: ${nodes[0]}`,
  });
  return true;
}

/** The texts of one node's dumps; undefined: one cannot be read, which was reported. */
export async function dumpFilesOf(
  paths: readonly string[],
  how: DumpReading,
  messages: Said,
): Promise<readonly DumpFile[] | undefined> {
  const files: DumpFile[] = [];
  let hasFailed = false;
  const add = async (path: string, told: Partial<FactFile> = {}) => {
    const read = await readDumpFiles(path, messages.report, how.bytes);
    if (read === undefined) hasFailed = true;
    else for (const file of read) files.push({ ...file, ...(told.kind !== undefined && { kind: told.kind }) });
  };
  for (const file of how.texts ?? []) files.push(file);
  for (const path of how.texts === undefined ? paths : []) {
    const live = await readLiveNode(path, how, messages);
    if (live === undefined) for (const own of dumpPaths(path)) await add(own);
    else for (const file of live) files.push(file);
  }
  for (const fact of [...(how.facts ?? []), ...(how.texts === undefined ? paths.flatMap(collectedFacts) : [])])
    await add(fact.path, fact);
  return hasFailed ? undefined : files;
}

/** Other files in a folder are not a mistake. */
function isNamed({ name }: DumpFile, paths: readonly string[]): boolean {
  return paths.includes(name === 'standard input' ? '-' : name);
}

function withObjects({ name }: DumpFile): string {
  const path =
    name === 'standard input' ? '-' : /^[\w./:@%+=,-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  return `objects go with -f, and what iptables-save printed on the node behind them: k8snet diff -f ${path} DUMP; what an edit changes: k8snet diff -f OLD -f NEW`;
}

function holdsSomething({ tables }: ToolRules): boolean {
  return [...tables.values()].some(({ chains }) => chains.size > 0);
}

/** Facts that `collect` put next to the dumps of its folder. */
function collectedFacts(path: string): readonly FactFile[] {
  if (path === '-' || !isFolder(join(path, 'dumps'))) return [];
  return [...factFiles]
    .map(([name, kind]) => ({ path: join(path, name), kind }))
    .filter((file) => existsSync(file.path));
}
