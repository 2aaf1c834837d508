const linesPerPiece = 20_000;

/**
 * Lines as texts of some thousand lines each, every line with its newline: this makes few large writes, and never one
 * text of everything.
 */
export function* inPieces(lines: Iterable<string>): Iterable<string> {
  let open: string[] = [];
  for (const line of lines) {
    open.push(`${line}\n`);
    if (open.length < linesPerPiece) continue;
    yield open.join('');
    open = [];
  }
  if (open.length > 0) yield open.join('');
}
