import type { Family } from '../../../common/addresses/family.ts';
import { sameItems } from '../../../common/sameItems.ts';
import type { Condition } from '../../meaning.ts';
import type { MatchOption } from '../ast.ts';
import type { IptablesSpelling, KindOf } from '../matchKind.ts';
import { matchGrammar } from './matchOptions.ts';
import { canonicalOptions, type OptionGrammar, printOptions } from './optionGrammar.ts';
import type { OptionTyping } from './typedOptions.ts';

/** The entry of a match whose options are typed values. */
export function typedMatch<K extends 'conntrack' | 'addrtype' | 'physdev', O extends { readonly name: string }>(
  kind: K,
  typing: OptionTyping<O>,
  meaning: (options: readonly O[], family: Family) => Condition,
): KindOf<K> {
  const grammar = matchGrammar(kind);
  const all = {
    read: (options: readonly MatchOption[]): TypedMatch<K, O> | undefined => {
      const typed = allRead(options, typing);
      return typed && { kind, options: typed };
    },
    print: (match: TypedMatch<K, O>, spelling: IptablesSpelling) =>
      ` -m ${kind}${printOptions(match.options.map(typing.write), grammar, spelling)}`,
    canonical: (match: TypedMatch<K, O>, family: Family) => {
      const options = canonicalTyped(match.options, typing, grammar, family);
      return options === match.options ? match : { kind, options };
    },
    evaluate: ({ options }: TypedMatch<K, O>, family: Family) => meaning(options, family),
  };
  return all as unknown as KindOf<K>;
}

/** A match that is nothing but its options. */
interface TypedMatch<K, O> {
  readonly kind: K;
  readonly options: readonly O[];
}

/** Undefined: iptables does not accept one of the options. */
export function allRead<O>(options: readonly MatchOption[], typing: OptionTyping<O>): readonly O[] | undefined {
  const typed: O[] = [];
  for (const option of options) {
    const read = typing.read(option);
    if (read === undefined) return undefined;
    typed.push(read);
  }
  return typed;
}

/** The options in the form of iptables-save; the given ones if they are that already. */
export function canonicalTyped<O extends { readonly name: string }>(
  options: readonly O[],
  typing: OptionTyping<O>,
  grammar: OptionGrammar | undefined,
  family: Family,
): readonly O[] {
  if (!grammar) return options;
  const words = options.map(typing.write);
  const canonical = canonicalOptions(words, grammar, family);
  return sameItems(canonical, words) ? options : (allRead(canonical, typing) ?? options);
}
