import { type Command, InvalidArgumentError, Option } from 'commander';
import type { FieldValidation } from '../../validate/fields/fieldValidation.ts';
import type { ColorChoice } from '../write/style.ts';
import type { LiveFlags } from './liveFlags.ts';
import { addLiveOptions } from './liveOptions.ts';

/** Options of every command with messages: their look and number. */
export interface MessageOptions {
  readonly color: ColorChoice;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

export function addMessageOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--color <when>', 'colors on standard error').choices(['auto', 'always', 'never']).default('auto'),
    )
    .option('-q, --quiet', 'print errors only', false)
    .option('-v, --verbose', 'print what is done and how long it takes', false);
}

/** Options of every command that reads manifests. */
export interface InputOptions extends LiveFlags {
  readonly filename: readonly string[];
  readonly recursive: boolean;
}

/** `hasNamespace`: false if `--namespace` means something else, or all namespaces are needed. */
export function addInputOptions(command: Command, hasNamespace = true): Command {
  command
    .requiredOption('-f, --filename <path>', 'file, directory or - for standard input; can be repeated', collect)
    .option('-R, --recursive', 'read directories and everything below them', false);
  return addLiveOptions(command, hasNamespace);
}

/** For commands that read manifests and a dump; `hasNamespace` as above. */
export function addManifestOptions(command: Command, hasNamespace = true): Command {
  command
    .option('-f, --filename <path>', 'manifests: file, directory or -; can be repeated', collect)
    .option('-R, --recursive', 'read directories and everything below them', false);
  return addLiveOptions(command, hasNamespace);
}

/** For commands whose words may be more than dumps. */
export function rulesOption(): Option {
  return new Option('--rules <dump>', 'dump of the node: file, folder or -; can be repeated').argParser(collect);
}

/** `-o`: the forms that a command prints; the first is the default. */
export function formOption(first: string, ...others: readonly string[]): Option {
  const forms = [first, ...others];
  const description = `${forms.slice(0, -1).join(', ')} or ${forms.at(-1)}`;
  return new Option('-o, --output <form>', description).choices(forms).default(first);
}

export function familyOption(description = 'IP family'): Option {
  return new Option('--family <family>', description).choices(['ipv4', 'ipv6', 'both']).default('both');
}

/** For commands that only read a dump. */
export function dumpFamilyOption(): Option {
  return familyOption('IP family, if the dump does not show it');
}

export interface ValidateFlags {
  readonly validate: FieldValidation;
}

/** kubectl's `--validate`, for every command that reads manifests. */
export function validateOption(): Option {
  return new Option('--validate <level>', 'unknown fields: refuse, warn or ignore; always strict for NetworkPolicies')
    .choices(['strict', 'warn', 'ignore'])
    .default('warn');
}

/** How much of a long answer is shown. */
export function limitOption(description: string): Option {
  return new Option('--limit <n>', description).argParser((text) => {
    if (/^\d{1,9}$/.test(text)) return Number(text);
    throw new InvalidArgumentError('give a number');
  });
}

/** For commands that refuse input without objects. */
export interface EmptyFlags {
  readonly allowEmpty: boolean;
}

export function addEmptyOption(command: Command, description: string): Command {
  return command.option('--allow-empty', description, false);
}

/** Collects a repeatable option. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
