import { typedCommand } from '../common/typedCommand.ts';

/**
 * The line is no output but what somebody typed: a prompt with or without one of the programs behind it
 * (`root@node:~# sudo conntrack -L`), or a command alone. Any other text behind a prompt is not taken for one.
 */
export function isTyped(line: string, ...programs: readonly string[]): boolean {
  const command = typedCommand(line) ?? unpromptedCommand(line);
  if (command === undefined) return false;
  const words = command.split(/\s+/);
  const isProgram = (word: string) => programs.some((name) => word === name || word.endsWith(`/${name}`));
  return command === '' || /^(?:exit|logout)$/.test(words[0] as string) || words.some(isProgram);
}

/** `cat /proc/net/nf_conntrack` without a prompt. */
function unpromptedCommand(line: string): string | undefined {
  const text = line.trim();
  return /^(?:sudo|cat) /.test(text) ? text : undefined;
}
