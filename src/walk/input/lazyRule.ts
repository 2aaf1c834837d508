import type { Step } from '../../netfilter/meaning.ts';
import type { WalkChain, WalkRule } from './walkInput.ts';

export interface RuleParts {
  readonly chain: WalkChain;
  readonly number: number;
  readonly text: string;
  readonly comment: string | undefined;
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/** Steps are worked out when the rule is first walked: most rules of a long chain never are. */
export function lazyRule(parts: RuleParts, steps: () => readonly Step[]): WalkRule {
  return new LazyRule(parts, steps);
}

/**
 * A class, because its getter is on the prototype: V8 gives each object with its own getter a separate layout, and
 * everything that it refers to lives until the next full collection. With a million rules that was a third of the time.
 */
class LazyRule implements WalkRule {
  readonly chain: WalkChain;
  readonly number: number;
  readonly text: string;
  readonly comment?: string;
  readonly file?: string;
  readonly line?: number;
  #steps: (() => readonly Step[]) | undefined;
  #made: readonly Step[] | undefined;

  constructor({ chain, number, text, comment, file, line }: RuleParts, steps: () => readonly Step[]) {
    this.chain = chain;
    this.number = number;
    this.text = text;
    if (comment !== undefined) this.comment = comment;
    if (file !== undefined) this.file = file;
    if (line !== undefined) this.line = line;
    this.#steps = steps;
  }

  get steps(): readonly Step[] {
    this.#made ??= this.#steps?.() ?? [];
    // The source is no longer needed.
    this.#steps = undefined;
    return this.#made;
  }
}
