import { type Command, Help, type HelpConfiguration, type Option } from 'commander';
import { helpWidth } from './helpWidth.ts';
import { layoutAfterHelp } from './layoutAfterHelp.ts';
import { type AfterHelpContext, emitterOf, textAfterHelp } from './textAfterHelp.ts';
import { wrapText } from './wrapText.ts';

/**
 * The layout of help pages, at any width: commander itself does not wrap if less than 40 columns are left for
 * sentences.
 */
export const helpLayout: HelpConfiguration = {
  minWidthToWrap: 1,
  commandUsage(this: Help, command: Command): string {
    const usage = `${pathOf(command)} ${command.usage()}`;
    return wrapText(usage, widthOf(this) - 'Usage: '.length, ' '.repeat('Usage: '.length));
  },
  /** A flag is off unless it is given: the help need not say so. */
  optionDescription(this: Help, option: Option): string {
    const text = Help.prototype.optionDescription.call(this, option);
    return option.isBoolean() ? text.replace(/ \(default: false\)$/, '') : text;
  },
  formatItem(term: string, termWidth: number, description: string, helper: Help): string {
    const width = widthOf(helper);
    if (description === '') return `${indent}${term}`;
    const column = columnOf(width, termWidth);
    const below = ' '.repeat(column === undefined ? indent.length * 3 : column + indent.length * 2);
    const text = wrapText(description, width - below.length).replaceAll('\n', `\n${below}`);
    return column !== undefined && term.length <= column
      ? `${indent}${term.padEnd(column)}${indent}${text}`
      : `${indent}${wrapText(term, width - indent.length, indent.repeat(3))}\n${below}${text}`;
  },
};

const indent = '  ';

/** The width of the terms' column; longer terms have a line of their own. Undefined: sentences are below all terms. */
function columnOf(width: number, termWidth: number): number | undefined {
  if (width - termWidth - 2 * indent.length >= 40) return termWidth;
  return width >= 64 ? 26 : undefined;
}

function widthOf({ helpWidth = 80 }: Help): number {
  return helpWidth;
}

/** The name that commander uses: with the commands above. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** The width that help on standard output has. */
export function outHelpWidth(): number {
  return helpWidth(process.env.COLUMNS, process.stdout.isTTY ? process.stdout.columns : undefined);
}

/** Lays out the text after the lists when the help is printed. */
export function fitAfterHelp(command: Command): void {
  const text = textAfterHelp(command);
  if (text === '') return;
  const emitter = emitterOf(command);
  emitter.removeAllListeners('afterHelp');
  emitter.on('afterHelp', ({ write, width = outHelpWidth() }: AfterHelpContext) => {
    write(`\n${layoutAfterHelp(text, width)}\n`);
  });
}
