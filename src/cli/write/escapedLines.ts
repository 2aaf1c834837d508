import { escapeText } from '../../common/text/escapeText.ts';

/** Rules may come from strangers: whatever could control the terminal is shown as an escape. */
export function* escapedLines(pieces: Iterable<string>): Iterable<string> {
  for (const piece of pieces) {
    yield isPlain.test(piece)
      ? piece
      : piece
          .split(/([\n\t])/)
          .map((part) => (layout.test(part) ? part : escapeText(part)))
          .join('');
  }
}

const layout = /^[\n\t]$/;

/** Nearly every piece: then there is nothing to look for in its lines. */
const isPlain = /^[\n\t\x20-\x7e]*$/;
