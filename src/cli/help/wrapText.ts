/** Lines of words, no line longer than `width` unless one word is; all lines after the first begin with `indent`. */
export function wrapText(text: string, width: number, indent = ''): string {
  return wrapWords(
    text.split(/\s+/).filter((word) => word !== ''),
    width,
    { indent, end: '' },
  );
}

interface Wrapping {
  readonly indent: string;
  /** The end of every line except the last: ` \`, after which a shell reads on. */
  readonly end: string;
}

export function wrapWords(words: readonly string[], width: number, { indent, end }: Wrapping): string {
  const lines: string[] = [];
  let line: string | undefined;
  words.forEach((word, at) => {
    const room = width - (at === words.length - 1 ? 0 : end.length);
    if (line === undefined) line = word;
    else if (line.length + 1 + word.length <= room) line += ` ${word}`;
    else {
      lines.push(`${line}${end}`);
      line = `${indent}${word}`;
    }
  });
  return [...lines, line ?? ''].join('\n');
}
