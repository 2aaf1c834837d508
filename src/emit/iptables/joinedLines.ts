/** Output lines, joined to pieces of some kilobytes, each line with its newline. */
export interface JoinedLines {
  readonly push: (line: string) => void;
  readonly isEmpty: () => boolean;
  /** A piece is complete. */
  readonly isFull: () => boolean;
  /** All lines since the last call. */
  readonly take: () => readonly string[];
}

/** Small, because strings should die young: garbage collection copies those that live on. */
const pieceLength = 8 << 10;

export function joinedLines(): JoinedLines {
  let pieces: string[] = [];
  let open = '';
  return {
    push: (line) => {
      open += line;
      open += '\n';
      if (open.length < pieceLength) return;
      pieces.push(open);
      open = '';
    },
    isEmpty: () => pieces.length === 0 && open === '',
    isFull: () => pieces.length > 0,
    take: () => {
      if (open !== '') pieces.push(open);
      const taken = pieces;
      pieces = [];
      open = '';
      return taken;
    },
  };
}
