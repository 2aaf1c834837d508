import type { Family } from '../../../common/addresses/family.ts';
import type { MatchOption } from '../ast.ts';
import { bareWord, quoteForRestore, quoteForSave } from '../print/quote.ts';

/** One option of a match or target. */
export interface OptionRule {
  /** Without its dashes. */
  readonly name: string;
  /** Other spellings that are read as this option. */
  readonly aliases?: readonly string[];
  /** How many words follow; 1 unless said. */
  readonly words?: 0 | 2;
  /** `text` is quoted where it has to be, `quoted` always, other values never. */
  readonly style?: 'text' | 'quoted';
  /** The values as iptables-save prints them; undefined: it leaves the option out. */
  readonly canonical?: (values: readonly string[], family: Family, isNegated: boolean) => readonly string[] | undefined;
}

/** The options of one match or target in the order in which iptables-save prints them. */
export interface OptionGrammar {
  readonly rules: readonly OptionRule[];
  readonly byName: ReadonlyMap<string, OptionRule>;
  readonly order: ReadonlyMap<string, number>;
  /** Adds what iptables-save prints though nobody wrote it, and rewrites options into one another. */
  readonly complete?: (options: readonly MatchOption[], family: Family) => readonly MatchOption[];
}

export function grammarOf(rules: readonly OptionRule[], complete?: OptionGrammar['complete']): OptionGrammar {
  const byName = new Map<string, OptionRule>();
  const order = new Map<string, number>();
  for (const [at, rule] of rules.entries()) {
    order.set(rule.name, at);
    for (const name of [rule.name, ...(rule.aliases ?? [])]) {
      byName.set(name, rule);
    }
  }
  return { rules, byName, order, ...(complete && { complete }) };
}

/** The options as iptables-save prints them: its order, its values, its defaults. Options it does not know come last. */
export function canonicalOptions(
  options: readonly MatchOption[],
  grammar: OptionGrammar,
  family: Family,
): readonly MatchOption[] {
  const known: MatchOption[] = [];
  for (const option of options) {
    const canonical = canonicalOption(option, grammar, family);
    if (canonical) {
      known.push(canonical);
    }
  }
  const all = grammar.complete ? grammar.complete(known, family) : known;
  return all.length < 2 ? all : inOrder(all, grammar.order);
}

/** ` --name value`, with ` !` before it if negated. */
export function printOptions(
  options: readonly MatchOption[],
  grammar: OptionGrammar | undefined,
  spelling: 'restore' | 'save',
): string {
  let text = '';
  for (const option of options) {
    text += option.negated ? ` ! --${option.name}` : ` --${option.name}`;
    const style = option.isQuoted ? 'quoted' : grammar?.byName.get(option.name)?.style;
    for (const value of option.values) {
      text += ' ';
      if (style === undefined) {
        text += bareWord(value);
      } else {
        text += style === 'text' && spelling === 'save' ? quoteForSave(value) : quoteForRestore(value);
      }
    }
  }
  return text;
}

/** The only word of the option `name`; undefined if it is absent, given twice or negated. */
export function plainValue(options: readonly MatchOption[], name: string): string | undefined {
  const found = options.filter((option) => option.name === name);
  return found.length === 1 && !found[0]?.negated ? found[0]?.values[0] : undefined;
}

export function hasOption(options: readonly MatchOption[], name: string): boolean {
  return options.some((option) => option.name === name);
}

function canonicalOption(option: MatchOption, grammar: OptionGrammar, family: Family): MatchOption | undefined {
  const rule = grammar.byName.get(option.name);
  if (!rule) {
    return option;
  }
  const values = rule.canonical ? rule.canonical(option.values, family, option.negated === true) : option.values;
  if (!values) {
    return undefined;
  }
  return values === option.values && rule.name === option.name && !option.isQuoted
    ? option
    : { name: rule.name, ...(option.negated && { negated: true }), values };
}

function inOrder(options: readonly MatchOption[], order: ReadonlyMap<string, number>): readonly MatchOption[] {
  const place = (option: MatchOption): number => order.get(option.name) ?? order.size;
  return options.every((option, at) => at === 0 || place(options[at - 1] as MatchOption) <= place(option))
    ? options
    : [...options].sort((one, other) => place(one) - place(other));
}

/** The number of times that an option names; undefined: no number that iptables takes. */
export function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
