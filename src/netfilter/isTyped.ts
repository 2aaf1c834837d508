/**
 * The line is no output but what somebody typed: a prompt with or without one of the programs behind it
 * (`root@node:~# sudo conntrack -L`), or a command alone. Any other text behind a prompt is not taken for one.
 */
export function isTyped(line: string, ...programs: readonly string[]): boolean {
  const prompt = /^(?:[^\s=]{0,200}|\[[^\]=]{1,200}\])[$#%>](?=\s|$)/.exec(line)?.[0] ?? '';
  const words = line.slice(prompt.length).trim().split(/\s+/);
  const isProgram = (word: string) => programs.some((name) => word === name || word.endsWith(`/${name}`));
  if (prompt === '')
    return isProgram(words[0] as string) || (/^(?:sudo|cat)$/.test(words[0] as string) && words.some(isProgram));
  if (words[0] === '') return /[@:\]]|^.$/.test(prompt);
  return /^(?:exit|logout)$/.test(words[0] as string) || words.some(isProgram);
}
