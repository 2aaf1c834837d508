import type { Argument, Command, Option } from 'commander';
import { proxyModes } from '../../common/proxy/proxyMode.ts';
import { knownVersions } from '../../dialect/knownVersions.ts';
import { formatKubeVersion } from '../../dialect/version.ts';
import { topics } from '../../explain/topics.ts';
import { type KnownProblem, problemsOf } from '../../problems/problemCatalogue.ts';
import type { ArgumentEntry, CommandEntry, CommandTable, FixedValues, Noted, OptionEntry } from './commandTable.ts';

/** Every command of the program with its options, from commander, and the values that are known without any input. */
export function tableOfCommands(program: Command): CommandTable {
  return { program: entryOf(program), values: fixedValues() };
}

function entryOf(command: Command): CommandEntry {
  const help = command.createHelp();
  return {
    name: command.name(),
    summary: command.summary() || command.description(),
    options: help.visibleOptions(command).map(optionEntry),
    arguments: command.registeredArguments.map(argumentEntry),
    commands: help.visibleCommands(command).map(entryOf),
  };
}

function optionEntry(option: Option): OptionEntry {
  const { short, long, flags, argChoices, description, variadic } = option;
  return {
    ...(short && { short }),
    ...(long && { long }),
    description,
    values: [...flags.matchAll(/[<[]([^>\]]+?)(?:\.\.\.)?[>\]]/g)].map(([, name = '']) => name),
    isVariadic: variadic,
    ...(argChoices && { choices: argChoices }),
  };
}

function argumentEntry(argument: Argument): ArgumentEntry {
  const { argChoices: choices, variadic: isVariadic } = argument;
  return { name: argument.name(), isVariadic, ...(choices && { choices }) };
}

function fixedValues(): FixedValues {
  const versions = new Map<string, Noted>();
  for (const mode of proxyModes) {
    for (const version of knownVersions(mode))
      versions.set(formatKubeVersion(version), [formatKubeVersion(version), '']);
  }
  return {
    versions: [...versions.values()].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })).reverse(),
    findings: problemsOf('finding').map(notedOf),
    diagnostics: problemsOf('diagnostic').map(notedOf),
    causes: [...problemsOf('cause'), ...problemsOf('change'), ...problemsOf('check')].map(notedOf),
    topics: Object.entries(topics).map(([name, { title }]): Noted => [name, title]),
  };
}

function notedOf({ code, entry: { title, what } }: KnownProblem): Noted {
  return [code, title ?? what];
}
