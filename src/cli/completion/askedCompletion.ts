import { shellLine } from './shellLine.ts';

/** The program that asks for words, and the words before the cursor. */
export interface AskedCompletion {
  readonly words: readonly string[];
  readonly current: string;
  /** kubectl asks in the way of its own commands; shells run the output of `k8snet completion`. */
  readonly shell: 'kubectl' | 'bash' | 'zsh' | 'fish' | 'powershell';
  /** How much of the current word the shell keeps and does not replace. */
  readonly kept: number;
}

/**
 * Reads the arguments after `__complete`: from kubectl the words of the line; from our scripts `--for=SHELL`, then for
 * bash COMP_WORDBREAKS and the line up to the cursor, for PowerShell words after `=` (it leaves empty ones out),
 * otherwise words.
 */
export function askedCompletion(argv: readonly string[], home: string | undefined): AskedCompletion {
  const [first = '', ...rest] = argv;
  switch (first) {
    case '--for=bash': {
      const [breaks = '', line = ''] = rest;
      return { shell: 'bash', ...shellLine(line, breaks, home) };
    }
    case '--for=zsh':
    case '--for=fish':
      return { shell: first === '--for=zsh' ? 'zsh' : 'fish', ...split(rest.map((word) => atHome(word, home))) };
    case '--for=powershell':
      return { shell: 'powershell', ...split(rest.map((word) => atHome(word.replace(/^=/, ''), home))) };
    default:
      return { shell: 'kubectl', ...split(argv) };
  }
}

function split(words: readonly string[]) {
  return { words: words.slice(0, -1), current: words.at(-1) ?? '', kept: 0 };
}

function atHome(word: string, home: string | undefined): string {
  return home !== undefined && /^~(?:$|[\\/])/.test(word) ? `${home}${word.slice(1)}` : word;
}
