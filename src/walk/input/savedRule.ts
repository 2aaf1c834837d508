import type { Family } from '../../common/addresses/family.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { ruleSteps } from '../../netfilter/iptables/meaning/ruleSteps.ts';
import { type EntranceLine, entranceLine } from '../../netfilter/iptables/read/entranceLine.ts';
import { commentOf } from '../../netfilter/iptables/ruleParts.ts';
import type { Step } from '../../netfilter/meaning.ts';
import { placeOf } from '../../node/lines/chainLines.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { ruleOf } from '../../node/rulesOf.ts';
import type { WalkChain, WalkRule } from './walkInput.ts';

/**
 * A line of iptables for the walk. It is parsed when its steps are asked for: of a long chain, most rules never are. A
 * class, like LazyRule.
 */
export class SavedRule implements WalkRule {
  readonly chain: WalkChain;
  readonly number: number;
  readonly text: string;
  readonly file?: string;
  readonly line?: number;
  readonly #family: Family;
  #entrance: EntranceLine | 'none' | undefined;
  #rule: Rule | undefined;
  #comment: string | undefined;
  #steps: readonly Step[] | undefined;

  /** `at` counts from 0. */
  constructor(chain: WalkChain, lines: RuleChain, at: number, text: string, family: Family) {
    const { file, line } = placeOf(lines, at);
    this.chain = chain;
    this.number = at + 1;
    this.text = text;
    if (file !== '') this.file = file;
    if (line !== 0) this.line = line;
    this.#family = family;
  }

  get entrance(): EntranceLine | undefined {
    if (this.#family !== 'ipv4') return undefined;
    this.#entrance ??= entranceLine(this.text) ?? 'none';
    return this.#entrance === 'none' ? undefined : this.#entrance;
  }

  get comment(): string | undefined {
    const known = this.entrance;
    if (known !== undefined) return known.comment;
    if (this.#steps === undefined) this.#read();
    return this.#comment;
  }

  get steps(): readonly Step[] {
    this.#steps ??= ruleSteps(this.#read(), this.#family);
    // It is no longer needed.
    this.#rule = undefined;
    return this.#steps;
  }

  #read(): Rule {
    this.#rule ??= ruleOf(this.text, this.#family);
    this.#comment = commentOf(this.#rule);
    return this.#rule;
  }
}
