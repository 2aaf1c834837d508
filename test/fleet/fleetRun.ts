import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { runCli } from '../support/runCli.ts';
import { nodeNames } from './randomCluster.ts';

export type Plain = Readonly<Record<string, unknown>>;

/** What a run with `-o json` prints, with its lines as objects. */
export function fleetRun<Summary extends object = Plain>(args: readonly string[]) {
  const { status, stdout, stderr } = runCli([...args, '-o', 'json']);
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Plain);
  return { status, stderr, lines, nodes: lines.slice(0, -1), summary: lines.at(-1) as Plain & Summary };
}

/** Writes manifests, and what they put on each of their nodes: the folder of the manifests and that of the nodes. */
export function writeFleet(
  folder: string,
  items: readonly object[],
  options: readonly string[] = [],
  nodes: readonly string[] = nodeNames,
): { readonly manifests: string; readonly dumps: string } {
  mkdirSync(folder, { recursive: true });
  const manifests = join(folder, 'cluster.json');
  const dumps = join(folder, 'nodes');
  writeFileSync(manifests, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  const compiled = runCli(['compile', '-q', '-f', manifests, ...options, '--all-nodes', '--out-dir', dumps]);
  if (compiled.status !== 0) throw new Error(compiled.stderr);
  for (const node of nodes) {
    for (const file of readdirSync(join(dumps, node))) {
      if (!/\.save$|^addresses/.test(file)) rmSync(join(dumps, node, file));
    }
  }
  return { manifests, dumps };
}

/** Rewrites a dump of a node. */
export function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (before === after) throw new Error(`nothing changed in ${file}`);
  writeFileSync(file, after);
}

const isValid = new Ajv({ allowUnionTypes: true }).compile(
  JSON.parse(readFileSync('schema/fleet-output.schema.json', 'utf8')) as object,
);

/** What is wrong with a line by the schema; undefined: nothing. */
export function schemaProblem(line: Plain): string | undefined {
  return isValid(line) ? undefined : JSON.stringify([isValid.errors, line]).slice(0, 2_000);
}
