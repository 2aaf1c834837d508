import { join } from 'node:path';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { type CheckedObjects, checkObjects, compileNode, shareWork, toFiles } from '../../../public/core.ts';
import { orThrow, told } from '../../../public/result.ts';
import { compileNeeds } from '../../objects/liveNeeds.ts';
import { readInput } from '../../objects/readInput.ts';
import { refuseEmpty } from '../../objects/refuseEmpty.ts';
import { writeArtefacts } from '../../write/writeArtefacts.ts';
import type { FleetEntry } from '../entries/fleetEntry.ts';
import { quietMessages } from '../quietMessages.ts';
import type { CompileAnswer, CompileQuestion, CompileTask } from './compileTask.ts';

/** Compiles nodes and writes their files, from objects that this thread reads; the caller has checked them. */
export async function openCompiler(task: CompileTask): Promise<(question: FleetEntry) => Promise<CompileAnswer>> {
  const ignored = quietMessages();
  const { objects, options: target } = await readInput(task.options, ignored, true, compileNeeds(task.options));
  const { sharing } = await shareWork();
  const checked = await told(checkObjects(objects, { ...target, sharing }), ignored.report);
  if (checked === undefined) throw new Error('objects that were sound are so no more: files were changed meanwhile');
  return (question) => compileFor(checked, task, question as CompileQuestion);
}

/** One node, by its name. */
export async function compileFor(
  checked: CheckedObjects,
  { options, filesOptions }: CompileTask,
  { at, given: node, isWritten }: CompileQuestion,
): Promise<CompileAnswer> {
  const said: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => {
    said.push(diagnostic);
  };
  if (!isWritten) {
    await told(compileNode(checked, { node }), report);
    return { at, said, written: 0 };
  }
  // Messages about compiling were printed when it was tried.
  const compiled = await told(compileNode(checked, { node }), () => {});
  if (compiled === undefined) return { at, said, written: 0 };
  const { policy } = filesOptions;
  const own = { ...filesOptions, isOneOfMany: true, policy: policy && { ...policy, node } };
  const files = await orThrow(toFiles(compiled, own), report);
  if (!options.allowEmpty) refuseEmpty(compiled, files, report);
  if (said.some(({ severity }) => severity === 'error')) return { at, said, written: 0 };
  return { at, said, written: writeArtefacts(join(options.outDir ?? '', node), files.all, report)?.length };
}
