import { escapeText } from '../../common/text/escapeText.ts';
import type { Block } from './block.ts';

/** A report for a terminal. */
export function migrationText(blocks: readonly Block[]): string {
  return `${blocks.map(blockLines).join('\n')}`;
}

function blockLines(block: Block): string {
  switch (block.kind) {
    case 'heading': {
      const text = escapeText(block.text);
      return block.level === 3 ? `${text}\n` : `${text}\n${(block.level === 1 ? '=' : '-').repeat(text.length)}\n`;
    }
    case 'paragraph':
      return `${wrapped(escapeText(block.text), '')}\n`;
    case 'list':
      return `${block.items
        .map(
          ({ text, code }) =>
            `- ${wrapped(escapeText(text), '  ')}${code === undefined ? '' : `\n    ${escapeText(code)}`}`,
        )
        .join('\n')}\n`;
    case 'code':
      return `${block.lines.map((line) => `    ${escapeText(line)}`).join('\n')}\n`;
  }
}

const width = 100;

function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}
