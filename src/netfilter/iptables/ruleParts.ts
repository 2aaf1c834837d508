import type { Rule, Word } from './ast.ts';

/** The text of a rule's first comment; undefined: it has none. */
export function commentOf(rule: Rule): string | undefined {
  for (const word of rule.words) if (word.kind === 'comment') return word.text;
  return undefined;
}

/** The chain or verdict a rule leads to; undefined for other targets. */
export function jumpOf(rule: Rule): string | undefined {
  return rule.target?.kind === 'jump' ? rule.target.chain : undefined;
}

/** The first header word or match of a kind. */
export function matchOf<K extends Word['kind']>(rule: Rule, kind: K): Extract<Word, { kind: K }> | undefined {
  return rule.words.find((word): word is Extract<Word, { kind: K }> => word.kind === kind);
}

export function hasWord(rule: Rule, kind: Word['kind']): boolean {
  return rule.words.some((word) => word.kind === kind);
}

/** The destination that a rule asks for, as it spells it: the value of the last word that names one. */
export function destinationOf({ words }: Rule): string | undefined {
  let destination: string | undefined;
  for (const word of words) if (word.kind === 'destination' && !word.negated) destination = word.address;
  return destination;
}

/** The names of the sets that a rule asks. */
export function setNames({ words }: Rule): readonly string[] {
  return words.flatMap((word) => (word.kind === 'set' ? word.set : []));
}

/** The destination ports that a rule asks for, as they are written: `80`, `30000:32767`; of a list one by one. */
export function portsAsked({ words }: Rule): readonly string[] {
  return words.flatMap((word) => {
    if (word.kind === 'transport') return word.destinationPort === undefined ? [] : [word.destinationPort];
    if (word.kind !== 'other' || word.name !== 'multiport') return [];
    return word.options.flatMap(({ name, values }) => (name === 'dports' ? (values[0] ?? '').split(',') : []));
  });
}
