/** The line up to the cursor in bash: the words before the current one, and that one. */
export interface ShellLine {
  readonly words: readonly string[];
  readonly current: string;
  /** How much of `current` readline keeps: it only replaces the text after a `:` or `=`, or after an open quote. */
  readonly kept: number;
}

/**
 * Splits a command line of bash without running anything in it: it handles quotes and backslashes, `~/` is the home
 * folder, and whatever bash would compute stays as typed. `breaks`: COMP_WORDBREAKS.
 */
export function shellLine(text: string, breaks: string, home: string | undefined): ShellLine {
  const words: string[] = [];
  const splits = [':', '='].filter((mark) => breaks.includes(mark));
  let word: string | undefined;
  let kept = 0;
  let quote: string | undefined;
  const begin = () => {
    word ??= '';
  };
  const add = (unit: string) => {
    word = `${word ?? ''}${unit}`;
  };
  for (let at = 0; at < text.length; at++) {
    const unit = text[at] as string;
    const next = text[at + 1];
    if (quote !== undefined) {
      if (unit === quote) quote = undefined;
      else if (unit === '\\' && quote === '"' && next !== undefined && /["\\$`]/.test(next)) {
        add(next);
        at += 1;
      } else add(unit);
    } else if (unit === '"' || unit === "'") {
      begin();
      quote = unit;
      kept = (word ?? '').length;
    } else if (unit === '\\' && next !== undefined) {
      add(next);
      at += 1;
    } else if (/\s/.test(unit)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      kept = 0;
    } else if (unit === '~' && word === undefined && home !== undefined && (next === undefined || next === '/')) {
      add(home);
    } else {
      add(unit);
      if (splits.includes(unit)) kept = (word ?? '').length;
    }
  }
  return { words: withoutCommand(words), current: word ?? '', kept };
}

/** Removes the command itself, and its variables: `A=b k8snet diff`. */
function withoutCommand(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word));
  return at === -1 ? [] : words.slice(at + 1);
}
