/** The words of a case's command line, as a shell splits them; OUT stands for a folder. Single quotes are all that cases use. */
export function commandWords(line: string, out: string): readonly string[] {
  const words = [...line.trim().matchAll(/'([^']*)'|\S+/g)].map((match) => match[1] ?? match[0]);
  return words.map((word) => (word === 'OUT' ? out : word));
}
