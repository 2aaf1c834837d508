/** Splits a text that comes in pieces into lines; a last line without its end does not count. */
export function lineSplitter(line: (text: string) => void): (piece: Buffer) => void {
  let open: Buffer[] = [];
  return (piece) => {
    let start = 0;
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, start)) {
      open.push(piece.subarray(start, end));
      line(Buffer.concat(open).toString());
      open = [];
      start = end + 1;
    }
    if (start < piece.length) open.push(piece.subarray(start));
  };
}
