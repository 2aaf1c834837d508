import { escapeText } from '../../common/text/escapeText.ts';
import type { Block } from './block.ts';

/** A report as Markdown. Names from dumps and manifests can neither format nor link anything. */
export function migrationMarkdown(blocks: readonly Block[]): string {
  return `${blocks.map(blockText).join('\n\n')}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${plain(block.text)}`;
    case 'paragraph':
      return plain(block.text);
    case 'list':
      return block.items
        .map(({ text, code }) => `- ${plain(text)}${code === undefined ? '' : `\n  ${codeSpan(code)}`}`)
        .join('\n');
    case 'code':
      return fenced(block.lines.map((line) => escapeText(line)));
  }
}

function plain(text: string): string {
  return escapeText(text).replace(/[\\`*_[\]<>|#&]/g, (character) => `\\${character}`);
}

/** One backtick more than the longest run in the text. */
function codeSpan(text: string): string {
  const safe = escapeText(text);
  const ticks = '`'.repeat(longestRun(safe) + 1);
  return longestRun(safe) === 0 ? `\`${safe}\`` : `${ticks} ${safe} ${ticks}`;
}

function fenced(lines: readonly string[]): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return [`${ticks}text`, ...lines, ticks].join('\n');
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
