/** The text of a help page after its lists, in pieces that pages of any width and manual pages are laid out from. */
export type HelpBlock =
  | { readonly kind: 'prose'; readonly text: string }
  | { readonly kind: 'examples'; readonly examples: readonly Example[] }
  /** Lines that stay as they are, under a heading. */
  | { readonly kind: 'lines'; readonly heading: string; readonly lines: readonly string[] };

export interface Example {
  readonly command: string;
  readonly note: string | undefined;
  /** Both, as the source aligns them. */
  readonly line: string;
}

/** Splits the text: empty lines separate blocks; indented lines after a heading are examples, or kept. */
export function helpBlocks(text: string): readonly HelpBlock[] {
  const blocks = text.split(/\n(?:[ \t]*\n)+/).map((block) => block.replace(/^\n+|\s+$/g, ''));
  return blocks.filter((block) => block !== '').map(blockOf);
}

function blockOf(text: string): HelpBlock {
  const [heading = '', ...lines] = text.split('\n');
  const isList = /^\S.*:$/.test(heading) && lines.length > 0 && lines.every((line) => line.startsWith('  '));
  if (!isList) return { kind: 'prose', text: text.replace(/\s*\n\s*/g, ' ') };
  if (heading !== 'Examples:') return { kind: 'lines', heading, lines };
  return { kind: 'examples', examples: lines.map(exampleOf) };
}

/** Two blanks or more separate a command from its purpose. */
function exampleOf(line: string): Example {
  const [, command = '', note] = /^\s*(.*?\S)(?:\s{2,}(\S.*))?$/.exec(line) ?? [];
  return { command, note, line };
}
