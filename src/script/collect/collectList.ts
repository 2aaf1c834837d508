import type { CollectCommand } from './collectCommands.ts';

/** The commands for a person to run: one a line with what it gives, each writing its file into the working directory. */
export function collectList(commands: readonly CollectCommand[]): string {
  const parts = (['node', 'cluster'] as const)
    .map((where) => ({ where, lines: commands.filter((command) => command.where === where) }))
    .filter(({ lines }) => lines.length > 0)
    .map(({ where, lines }) => `${headings[where]}\n${lines.map(line).join('')}`);
  return `mkdir -p dumps facts cluster\n\n${parts.join('\n')}`;
}

const headings = {
  node: '# On the node, as root. A tool that is not there has nothing to tell: go on with the next.',
  cluster: '# Where kubectl works.',
} as const;

function line({ words, file, what }: CollectCommand): string {
  return `${words.join(' ')} > ${file}   # ${what}\n`;
}
