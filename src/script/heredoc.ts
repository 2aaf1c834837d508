/** The word that ends every here-document. No rule, chain or set line can be this word alone. */
const end = 'K8SNET_END';

/**
 * A here-document whose text the shell copies without reading it: `<<'K8SNET_END'`, the lines, the end word. The text
 * must end with a newline or be empty. A text that holds the end word as a line of its own is refused: printers never
 * make one, so that is a bug of ours and not of the input.
 */
export function* heredoc(pieces: Iterable<string>): Iterable<string> {
  yield `<<'${end}'\n`;
  for (const piece of pieces) {
    if (piece.startsWith(`${end}\n`) || piece.includes(`\n${end}\n`)) {
      throw new Error('a generated text holds the word that ends its here-document');
    }
    yield piece;
  }
  yield `${end}\n`;
}
