import { compileForDump, diff } from '../core.ts';
import type { Finding } from '../findings/finding.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { objectsOfManifests } from '../trace/objectsOfManifests.ts';
import type { MessageOptions } from './commonOptions.ts';
import { collectMessages } from './messages.ts';
import { readInput } from './readInput.ts';
import type { WalkFlags } from './readWalkNode.ts';

/** The rules that manifests make for the node of a dump, and what is wrong with the dump beside them. */
export async function readExpected(
  filename: readonly string[],
  dump: NodeRules,
  options: WalkFlags & MessageOptions,
): Promise<{ readonly rules: NodeRules; readonly findings: readonly Finding[] } | undefined> {
  // Standard input is read once.
  if (filename.includes('-')) return undefined;
  // The manifests were read, and their problems reported, when the dump was walked.
  const silent = { ...collectMessages({ ...options, quiet: true, verbose: false }), report: () => {} };
  const flags = { ...options, filename, recursive: options.recursive ?? false };
  const { objects, options: target } = await readInput(flags, silent);
  const compiled = await compileForDump(objects, dump, target, () => {});
  if (compiled === undefined) return undefined;
  const { findings } = await diff(compiled, { hasNfacct: options.nfacct, family: options.family });
  return { rules: objectsOfManifests(compiled.compiled, options.nfacct).rules, findings };
}
