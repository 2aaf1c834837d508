import { type Command, Option } from 'commander';
import type { FieldValidation } from '../validate/validateOptions.ts';
import type { ColorChoice } from './style.ts';

/** Options of every command that talks: how it looks and how much is messages. */
export interface MessageOptions {
  readonly color: ColorChoice;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

export function addMessageOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--color <when>', 'colours on standard error').choices(['auto', 'always', 'never']).default('auto'),
    )
    .option('-q, --quiet', 'print errors only', false)
    .option('-v, --verbose', 'print what is done and how long it takes', false);
}

/** Options of every command that reads manifests. */
export interface InputOptions {
  readonly filename: readonly string[];
  readonly recursive: boolean;
}

export function addInputOptions(command: Command): Command {
  return command
    .requiredOption('-f, --filename <path>', 'file, directory or - for standard input; can be repeated', collect)
    .option('-R, --recursive', 'read directories and everything below them', false);
}

export interface ValidateFlags {
  readonly validate: FieldValidation;
}

/** `--validate` of kubectl, for every command that reads manifests. */
export function validateOption(): Option {
  return new Option('--validate <level>', 'unknown fields: refuse, warn or ignore; always strict for NetworkPolicies')
    .choices(['strict', 'warn', 'ignore'])
    .default('warn');
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
