import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Family } from '../common/family.ts';
import { readDump } from '../core.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { DumpFile } from '../dump/dumpFile.ts';
import { isObjects } from '../dump/isObjects.ts';
import type { NodeRules, ToolRules } from '../node/nodeRules.ts';
import { everyTool } from '../node/ruleKinds.ts';
import { dumpPaths } from './dumpPaths.ts';
import type { FactFile } from './factOptions.ts';
import { isFolder } from './isFolder.ts';
import { notADump } from './notADump.ts';
import { readDumpFiles } from './readDumpFiles.ts';

/**
 * Reads what command lines name as the dumps of one node: files, folders with files, `-`, and the facts beside them, whose
 * kind the options say. `bytes` are those of the only path, where somebody has read it. Undefined: it holds no rules; that
 * a tool had none to show counts for a comparison only.
 */
export async function readNodeDump(
  paths: readonly string[],
  family: Family | 'both' | undefined,
  report: Report,
  facts: readonly FactFile[] = [],
  isCompared = true,
  bytes?: Buffer,
): Promise<NodeRules | undefined> {
  const files = dumpFilesOf(paths, report, facts, bytes);
  if (files === undefined) return undefined;
  const objects = files.filter((file) => isNamed(file, paths) && file.kind === undefined && isObjects(file.text));
  if (objects.length > 0) {
    for (const file of objects)
      report({ ...notADump(basename(file.name), [file], undefined), hint: withObjects(file) });
    return undefined;
  }
  const name = paths.map((path) => (path === '-' ? 'standard input' : basename(path))).join(', ');
  const dump = await readDump(files, { name, family: family === 'both' ? undefined : family });
  const sets = isCompared ? everyTool(dump) : everyTool(dump).filter(holdsSomething);
  const saysSomething = !isCompared && dump.network.sysctls.size > 0;
  if (sets.length === 0 && dump.hiddenTables.length === 0 && !saysSomething) {
    report(notADump(name, files, dump));
    return undefined;
  }
  return dump;
}

/** The texts of what command lines name as the dumps of one node; undefined: one cannot be read, which was reported. */
export function dumpFilesOf(
  paths: readonly string[],
  report: Report,
  facts: readonly FactFile[] = [],
  bytes?: Buffer,
): readonly DumpFile[] | undefined {
  const files: DumpFile[] = [];
  let hasFailed = false;
  const named = [...paths.flatMap(dumpPaths).map((path) => ({ path })), ...facts, ...paths.flatMap(collectedFacts)];
  for (const { path, ...told } of named) {
    const read = readDumpFiles(path, report, bytes);
    if (read === undefined) hasFailed = true;
    else for (const file of read) files.push({ ...file, ...told });
  }
  return hasFailed ? undefined : files;
}

/** What a folder holds beside dumps is nobody's mistake. */
function isNamed({ name }: DumpFile, paths: readonly string[]): boolean {
  return paths.includes(name === 'standard input' ? '-' : name);
}

function withObjects({ name }: DumpFile): string {
  const path =
    name === 'standard input' ? '-' : /^[\w./:@%+=,-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  return `objects go with -f, and what iptables-save printed on the node behind them: k8snet diff -f ${path} DUMP`;
}

function holdsSomething({ tables }: ToolRules): boolean {
  return [...tables.values()].some(({ chains }) => chains.size > 0);
}

/** What `collect` put beside the dumps of its folder that says something by itself. */
function collectedFacts(path: string): readonly FactFile[] {
  if (path === '-' || !isFolder(join(path, 'dumps'))) return [];
  return collectedKinds
    .map(([name, kind]) => ({ path: join(path, name), kind }))
    .filter((file) => existsSync(file.path));
}

const collectedKinds = [
  ['facts/policy-rules.txt', 'rules'],
  ['facts/sysctl.txt', 'sysctl'],
  ['facts/modules.txt', 'modules'],
  ['facts/conntrack.v4.txt', 'conntrack'],
  ['facts/conntrack.v6.txt', 'conntrack'],
] as const;
