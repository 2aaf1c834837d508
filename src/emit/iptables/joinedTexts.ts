const shortestPiece = 8 << 10;

/** The same texts in pieces of some kilobytes: many small writes take longer. */
export function* joinedTexts(texts: Iterable<string>): Iterable<string> {
  let open = '';
  for (const text of texts) {
    open += text;
    if (open.length < shortestPiece) continue;
    yield open;
    open = '';
  }
  if (open !== '') yield open;
}
