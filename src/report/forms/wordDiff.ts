/** A run of words that both rules have, or one of them. */
export interface WordChange {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** What changed from one rule to the other, in whole words. */
export type WordDiff = (expected: string, found: string) => readonly WordChange[];

/**
 * Loads jsdiff and returns the comparison of two rules. Only blanks separate words: a port, an address or a chain name
 * changes as a whole. Rules that share next to nothing, or take too long, come back as removed and added.
 */
export async function loadWordDiff(): Promise<WordDiff> {
  const { diffArrays } = await import('diff');
  return (expected, found) => {
    const changes = diffArrays(expected.split(' '), found.split(' '), { maxEditLength: mostEdits });
    if (changes === undefined) return [removed(expected), added(found)];
    return changes.map(({ value, added: isAdded, removed: isRemoved }) => {
      const text = value.join(' ');
      return isAdded ? added(text) : isRemoved ? removed(text) : { kind: 'same', text };
    });
  };
}

/** A rule with more changed words than this is another rule. */
const mostEdits = 60;

function removed(text: string): WordChange {
  return { kind: 'removed', text };
}

function added(text: string): WordChange {
  return { kind: 'added', text };
}
