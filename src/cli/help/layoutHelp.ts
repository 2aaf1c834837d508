import { type Command, Help, type HelpConfiguration, type Option } from 'commander';
import { helpWidth } from './helpWidth.ts';
import { layoutAfterHelp } from './layoutAfterHelp.ts';
import { type AfterHelpContext, emitterOf, textAfterHelp } from './textAfterHelp.ts';
import { wrapText } from './wrapText.ts';

/** How help pages look, at any width: commander itself does not wrap where less than 40 columns are left for sentences. */
export const helpLayout: HelpConfiguration = {
  minWidthToWrap: 1,
  commandUsage(this: Help, command: Command): string {
    const usage = `${pathOf(command)} ${command.usage()}`.trimEnd();
    return wrapText(usage, widthOf(this) - 'Usage: '.length, ' '.repeat('Usage: '.length));
  },
  /** A flag is off unless it is given: nobody need be told. */
  optionDescription(this: Help, option: Option): string {
    const text = Help.prototype.optionDescription.call(this, option);
    return option.isBoolean() ? text.replace(/ \(default: false\)$/, '') : text;
  },
  // How a command is used its own page says.
  subcommandTerm: (command) => command.name(),
  formatItem(term: string, termWidth: number, description: string, helper: Help): string {
    const width = widthOf(helper);
    const indent = '  ';
    if (description === '') return indent + term;
    const left = width - termWidth - 2 * indent.length;
    if (left >= narrowColumn) {
      const column = ' '.repeat(termWidth + 2 * indent.length);
      return `${indent}${term.padEnd(termWidth)}${indent}${wrapText(description, left, '')}`.replaceAll(
        '\n',
        `\n${column}`,
      );
    }
    const below = indent.repeat(3);
    const lines = wrapText(description, width - below.length);
    return `${indent}${wrapText(term, width - indent.length, below)}\n${below}${lines.replaceAll('\n', `\n${below}`)}`;
  },
};

/** Where less is left beside the terms, sentences stand below them. */
const narrowColumn = 30;

function widthOf({ helpWidth = 80 }: Help): number {
  return helpWidth;
}

/** As commander names it: with the commands above. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** The width that help on standard output has. */
export function outHelpWidth(): number {
  return helpWidth(process.env.COLUMNS, process.stdout.isTTY ? process.stdout.columns : undefined);
}

/** Lays out what stands behind the lists when it is asked for, not as it is written in the source. */
export function fitAfterHelp(command: Command): void {
  const text = textAfterHelp(command);
  if (text === '') return;
  const emitter = emitterOf(command);
  emitter.removeAllListeners('afterHelp');
  emitter.on('afterHelp', ({ write, width = outHelpWidth() }: AfterHelpContext) => {
    write(`\n${layoutAfterHelp(text, width)}\n`);
  });
}
