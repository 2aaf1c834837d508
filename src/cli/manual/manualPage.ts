import type { Command } from 'commander';
import { type Example, type HelpBlock, helpBlocks } from '../help/helpBlocks.ts';
import { textAfterHelp } from '../help/textAfterHelp.ts';
import { roff } from './roff.ts';

/** What a page adds to the help of its command. */
export interface PageFrame {
  /** `k8snet-policy-test`. */
  readonly name: string;
  /** The command as it is typed: `k8snet policy test`. */
  readonly typed: string;
  readonly version: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly commands: readonly ListedCommand[];
  readonly seeAlso: readonly string[];
  /** Further sections of the program's own page. */
  readonly more: readonly string[];
}

export interface ListedCommand {
  /** The name of its page, or of the command if it has none. */
  readonly name: string;
  readonly summary: string;
}

/** The manual page of a command, made from the same help that `--help` prints. */
export function manualPage(command: Command, frame: PageFrame): string {
  const { name, typed, version, date, commands, seeAlso, more } = frame;
  const blocks = helpBlocks(textAfterHelp(command));
  const description = command.description() || command.summary();
  const summary = (command.summary() || description).replace(/\.$/, '');
  return [
    `.TH ${roff.quoted(name.toUpperCase())} 1 ${date} ${roff.quoted(`k8snet ${version}`)} ${roff.quoted('k8snet manual')}`,
    ...section('NAME', [`${roff.literal(name)} \\-`, roff.text(summary)]),
    ...section('SYNOPSIS', [`${roff.bold(typed)} ${roff.literal(command.usage())}`]),
    ...section('DESCRIPTION', [roff.text(description), ...notes(blocks)]),
    ...section('ARGUMENTS', argumentsOf(command)),
    ...optionSections(command),
    ...section(
      'COMMANDS',
      commands.flatMap(({ name, summary }) => item(roff.bold(name), summary)),
    ),
    ...section('EXIT STATUS', blocks.flatMap(statusesOf)),
    ...section(
      'EXAMPLES',
      blocks.flatMap((block) => (block.kind === 'examples' ? block.examples.flatMap(exampleOf) : [])),
    ),
    ...more,
    ...section('SEE ALSO', seeAlsoOf(seeAlso)),
    '',
  ].join('\n');
}

/** A heading with its text; empty without text. */
export function section(heading: string, lines: readonly string[]): readonly string[] {
  const first = lines[0] === '.PP' ? 1 : 0;
  return lines.length === 0 ? [] : [`.SH ${roff.quoted(heading)}`, ...lines.slice(first)];
}

/** A term, which is roff already, and a sentence about it. */
export function item(term: string, text: string): readonly string[] {
  return ['.TP', term, roff.text(text)];
}

function argumentsOf(command: Command): readonly string[] {
  const help = command.createHelp();
  return command.registeredArguments.flatMap((argument) =>
    item(roff.bold(argument.name()), help.argumentDescription(argument)),
  );
}

function optionSections(command: Command): readonly string[] {
  const help = command.createHelp();
  const groups = new Map<string, string[]>();
  for (const option of help.visibleOptions(command)) {
    const heading = (option.helpGroupHeading ?? 'Options:').replace(/:$/, '').toUpperCase();
    const lines = groups.get(heading) ?? [];
    lines.push(...item(roff.bold(option.flags), help.optionDescription(option)));
    groups.set(heading, lines);
  }
  return [...groups].flatMap(([heading, lines]) => section(heading, lines));
}

function notes(blocks: readonly HelpBlock[]): readonly string[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'prose') return isStatus(block) ? [] : ['.PP', roff.text(block.text)];
    return block.kind === 'lines' ? ['.PP', roff.text(block.heading), ...asTyped(block.lines)] : [];
  });
}

function isStatus(block: HelpBlock): boolean {
  return block.kind === 'prose' && block.text.startsWith(status);
}

const status = 'Exit status: ';

/** `0 done, 2 bad usage`: each number with its meaning. */
function statusesOf(block: HelpBlock): readonly string[] {
  if (block.kind !== 'prose' || !isStatus(block)) return [];
  const statuses = block.text
    .slice(status.length)
    .replace(/\.$/, '')
    .split(/[,;] (?=\d+ )/);
  return statuses.flatMap((text) => {
    const [, code = '', meaning = text] = /^(\d+) (.*)$/.exec(text) ?? [];
    return item(roff.bold(code), meaning);
  });
}

function exampleOf({ command, note }: Example): readonly string[] {
  return ['.PP', ...(note === undefined ? [] : [roff.text(`${note}:`)]), ...asTyped([command])];
}

function asTyped(lines: readonly string[]): readonly string[] {
  return ['.RS 4', '.nf', ...lines.map(roff.literal), '.fi', '.RE'];
}

/** With commas between them, in one sentence of macros. */
function seeAlsoOf(names: readonly string[]): readonly string[] {
  return names.map((name, at) => `.BR ${roff.literal(name)} (1)${at < names.length - 1 ? ',' : ''}`);
}
