import type { Insertion, Mutant } from './mutant.ts';

/** One source with all its mutants in it; each asks a switch, which has the number of the one that is on. */
export function writeMutated(
  text: string,
  mutants: readonly { readonly mutant: Mutant; readonly id: number }[],
): string {
  const pieces = mutants.flatMap(({ mutant, id }) =>
    mutant.insertions.flatMap((insertion) => [
      { at: insertion.start, isEnd: false, insertion, text: insertion.before(`k8snetIs(${id})`) },
      { at: insertion.end, isEnd: true, insertion, text: insertion.after(`k8snetIs(${id})`) },
    ]),
  );
  // Of two that begin at one place the longer one is outside; equal ones nest in the order in which they were found.
  const order = new Map(pieces.map((piece, at) => [piece.insertion, at]));
  const rank = (insertion: Insertion) => order.get(insertion) ?? 0;
  const length = ({ start, end }: Insertion) => end - start;
  pieces.sort((a, b) => {
    if (a.at !== b.at) return a.at - b.at;
    const isSame = a.insertion === b.insertion;
    if (a.isEnd !== b.isEnd) return (isSame ? a.isEnd : b.isEnd) ? 1 : -1;
    const outer = length(b.insertion) - length(a.insertion) || rank(a.insertion) - rank(b.insertion);
    return a.isEnd ? -outer : outer;
  });
  let written = '';
  let from = 0;
  for (const piece of pieces) {
    written += text.slice(from, piece.at) + piece.text;
    from = piece.at;
  }
  return written + text.slice(from);
}
