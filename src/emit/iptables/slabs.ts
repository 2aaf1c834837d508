/** Lines that grow into large pieces of text: joining early keeps memory flat, joining late keeps it fast. */
export interface Slabs {
  readonly push: (line: string) => void;
  readonly isEmpty: () => boolean;
  /** Every line with its newline, in pieces of about 20,000 lines. */
  readonly text: () => Iterable<string>;
}

const linesPerSlab = 20_000;

export function slabs(): Slabs {
  const full: string[] = [];
  let open: string[] = [];
  return {
    push: (line) => {
      open.push(line);
      if (open.length < linesPerSlab) return;
      full.push(joined(open));
      open = [];
    },
    isEmpty: () => full.length === 0 && open.length === 0,
    text: function* () {
      yield* full;
      if (open.length > 0) yield joined(open);
    },
  };
}

function joined(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
