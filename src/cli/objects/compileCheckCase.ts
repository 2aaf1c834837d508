import { Command, CommanderError } from 'commander';
import type { CheckCase } from '../../check/checkCase.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Sources } from '../../load/sources.ts';
import { compile, toFiles } from '../../public/core.ts';
import { orThrow, told } from '../../public/result.ts';
import { addEmptyOption, type EmptyFlags } from '../options/commonOptions.ts';
import { addTargetOptions, type TargetFlags } from '../options/targetOptions.ts';
import type { Messages } from '../write/messages.ts';
import { readInput } from './readInput.ts';
import { refuseEmpty } from './refuseEmpty.ts';

/** The present output of a case of k8snet.yaml; undefined: its options or manifests are wrong, which was reported. */
export interface CompiledCheckCase {
  readonly text: string | undefined;
  readonly sources: Sources | undefined;
}

/** Compiles a case as `k8snet compile -o FORM` would. */
export async function compileCheckCase(one: CheckCase, messages: Messages): Promise<CompiledCheckCase> {
  const flags = flagsOf(one, messages.report);
  if (flags === undefined) return { text: undefined, sources: undefined };
  const options = { ...flags, filename: one.manifests, recursive: one.isRecursive };
  const { objects, options: target, sources } = await readInput(options, messages);
  const compiled = await told(compile(objects, target), messages.report);
  const changesNode = one.form === 'script' || one.form === 'restore';
  if (compiled && changesNode && !flags.allowEmpty) refuseEmpty(compiled, { printsPolicies: false }, messages.report);
  if (compiled === undefined || messages.hasErrors()) return { text: undefined, sources };
  const files = await orThrow(toFiles(compiled, { hasNfacct: flags.nfacct, policy: undefined }), messages.report);
  const pieces =
    one.form === 'json'
      ? (await import('../../output/jsonForm.ts')).jsonForm(compiled, files.all)
      : (await import('../../output/chooseForStdout.ts')).chooseForStdout(
          compiled,
          files.printed,
          one.form,
          flags.family,
          messages.report,
        );
  return { text: [...pieces].join(''), sources };
}

/** The options of a case are read like those of a command line: the same words, the same complaints. */
function flagsOf(one: CheckCase, report: Report): (TargetFlags & EmptyFlags) | undefined {
  let complaint = '';
  const command = addEmptyOption(addTargetOptions(new Command(one.name)), '')
    .exitOverride()
    .configureOutput({ writeErr: (text) => (complaint += text) });
  try {
    return command.parse([...one.options], { from: 'user' }).opts<TargetFlags & EmptyFlags>();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const message = complaint
      .trim()
      .replace(/^error: /, '')
      .replace(/^option '(--[a-z-]+)[^']*'/, 'option $1');
    report({
      code: 'bad-option',
      severity: 'error',
      message,
      at: [{ ...one.origin, path: [...one.origin.path, 'options'] }],
    });
    return undefined;
  }
}
