import { type Example, type HelpBlock, helpBlocks } from './helpBlocks.ts';
import { wrapText, wrapWords } from './wrapText.ts';

/** The text after the lists of a help page, for a terminal of `width` columns. Commands can still be copied. */
export function layoutAfterHelp(text: string, width: number): string {
  return helpBlocks(text)
    .map((block) => layoutBlock(block, width))
    .join('\n\n');
}

function layoutBlock(block: HelpBlock, width: number): string {
  switch (block.kind) {
    case 'prose':
      return wrapText(block.text, width);
    case 'lines':
      return [block.heading, ...block.lines].join('\n');
    case 'examples': {
      // Without notes each is laid out separately.
      const fits = block.examples.every(({ note, line }) => note === undefined || line.length <= width);
      const lines = block.examples.map((example) =>
        fits && example.line.length <= width ? example.line : layoutExample(example, width),
      );
      return ['Examples:', ...lines].join('\n');
    }
  }
}

function layoutExample({ command, note }: Example, width: number): string {
  const lines = [`  ${wrapCommand(command, width - 2)}`];
  if (note !== undefined) lines.push(`${below}${wrapText(note, width - below.length, below)}`);
  return lines.join('\n');
}

const below = ' '.repeat(6);

/** An option stays next to its values, and words in quotes stay together, as long as they fit. */
function wrapCommand(command: string, width: number): string {
  const room = width - indent.length - continued.length;
  const parts: string[] = [];
  for (const word of command.match(/(?:'[^']*'|"[^"]*"|\([^)]*\)|[^\s'"(]|['"(])+/g) ?? []) {
    const last = parts.at(-1);
    const isApart = last === undefined || /^(?:-.|[|>])/.test(word) || last.length + 1 + word.length > room;
    if (isApart) parts.push(word);
    else parts[parts.length - 1] = `${last} ${word}`;
  }
  return wrapWords(parts, width, { indent, end: continued });
}

const indent = '    ';
const continued = ' \\';
