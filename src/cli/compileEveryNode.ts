import { join } from 'node:path';
import { count } from '../common/count.ts';
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import type { NodeFilesOptions } from '../output/nodeFiles.ts';
import { checkObjects, compileNode, print } from '../public/core.ts';
import { compileNeeds } from './objects/liveNeeds.ts';
import { readInput } from './objects/readInput.ts';
import { refuseEmpty } from './objects/refuseEmpty.ts';
import type { EmptyFlags, InputOptions } from './options/commonOptions.ts';
import type { PolicyCompileFlags } from './options/policyCompileOptions.ts';
import type { TargetFlags } from './options/targetOptions.ts';
import { exitCodes } from './write/exitCodes.ts';
import type { Messages } from './write/messages.ts';
import { writeArtefacts } from './write/writeArtefacts.ts';

type EveryNodeOptions = InputOptions &
  TargetFlags &
  EmptyFlags &
  Pick<PolicyCompileFlags, 'policy' | 'policyOnly'> & { readonly outDir?: string };

/**
 * `--all-nodes`: the files of every Node, each in a folder of its name. The input is read and checked once; what is said
 * of several nodes in the same words is said once. Nothing is written unless all nodes compile.
 */
export async function compileEveryNode(
  options: EveryNodeOptions,
  filesOptions: NodeFilesOptions,
  messages: Messages,
): Promise<number> {
  const { objects, options: target, sources } = await readInput(options, messages, true, compileNeeds(options));
  const report = once(messages.report);
  const checked = messages.hasErrors() ? undefined : await checkObjects(objects, target, report);
  const names = (checked?.manifests.nodes ?? []).map(({ value }) => value.metadata.name).sort();
  const { outDir } = options;
  const misuse = misuseOf(options, checked === undefined ? undefined : names);
  if (misuse !== undefined) {
    report({
      code: 'bad-option',
      severity: 'error',
      message: misuse,
      at: [],
      hint: "run 'k8snet compile --help' for usage",
    });
  }
  if (checked === undefined || outDir === undefined || messages.hasErrors()) {
    await messages.flush(sources);
    return exitCodes.badInput;
  }
  // Twice: a node that does not compile must be known before the first file is written, and all at once is much memory.
  for (const node of names) await compileNode(checked, { node }, report);
  for (const name of messages.hasErrors() ? [] : names) {
    const compiled = await compileNode(checked, { node: name }, ignore);
    if (compiled === undefined) continue;
    const { policy } = filesOptions;
    const own = { ...filesOptions, isOneOfMany: true, policy: policy && { ...policy, node: name } };
    const files = await print(compiled, report, own);
    if (!options.allowEmpty) refuseEmpty(compiled, files, report);
    if (messages.hasErrors()) break;
    const written = writeArtefacts(join(outDir, name), files.all, report);
    if (written === undefined) {
      await messages.flush(sources);
      return exitCodes.cannotWrite;
    }
    messages.progress(`${name}: ${count(written.length, 'file')} written`);
  }
  await messages.flush(sources);
  return messages.hasErrors() ? exitCodes.badInput : exitCodes.ok;
}

function misuseOf(options: EveryNodeOptions, names: readonly string[] | undefined): string | undefined {
  if (options.outDir === undefined) return '--all-nodes needs --out-dir';
  if (options.node !== undefined) return '--all-nodes and --node exclude each other';
  if (options.nodeIp !== undefined || options.nodeAddress !== undefined) {
    return '--all-nodes takes the addresses of nodes from the Node objects: --node-ip and --node-address are of one node';
  }
  return names?.length === 0 ? '--all-nodes needs Node objects in the input' : undefined;
}

const ignore: Report = () => undefined;

function once(report: Report): Report {
  const seen = new Set<string>();
  return (diagnostic: Diagnostic) => {
    const { code, message, at } = diagnostic;
    const key = JSON.stringify([code, message, at]);
    if (seen.has(key)) return;
    seen.add(key);
    report(diagnostic);
  };
}
