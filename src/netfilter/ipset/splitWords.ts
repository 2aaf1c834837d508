/**
 * Splits a line at blanks as `ipset restore` does: double quotes keep blanks together, nothing escapes a quote.
 * Undefined: a quote is never closed.
 */
export function splitWords(line: string): readonly string[] | undefined {
  if (!line.includes('"')) return line.split(/\s+/).filter((word) => word !== '');
  const words: string[] = [];
  let word: string | undefined;
  for (const [part] of line.matchAll(/[^\s"]+|\s+|"[^"]*"?/g)) {
    if (part.startsWith('"')) {
      if (part.length === 1 || !part.endsWith('"')) return undefined;
      word = (word ?? '') + part.slice(1, -1);
    } else if (part.trim() === '') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + part;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}
