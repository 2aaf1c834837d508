import type { Match, MatchOption, SetSide } from '../ast.ts';
import type { KindOf } from '../matchKind.ts';
import { setMeaning } from '../meaning/matchMeaning.ts';
import { bareWord } from '../print/quote.ts';
import { matchGrammar } from './matchOptions.ts';
import { printOptions } from './optionGrammar.ts';
import { allRead, canonicalTyped } from './typedMatch.ts';
import { setOptions } from './typedOptions.ts';

/** `-m set`. */
export const setMatch: KindOf<'set'> = {
  read: readSet,
  print: (match, spelling) => {
    const not = match.negated ? ' !' : '';
    const head = ` -m set${not} --match-set ${bareWord(match.set)} ${match.sides.join(',')}`;
    return match.options
      ? head + printOptions(match.options.map(setOptions.write), matchGrammar('set'), spelling)
      : head;
  },
  canonical: (match, family) => {
    if (!match.options) return match;
    const options = canonicalTyped(match.options, setOptions, matchGrammar('set'), family);
    return options === match.options ? match : { ...match, options };
  },
  evaluate: setMeaning,
};

function readSet(options: readonly MatchOption[]): Extract<Match, { kind: 'set' }> | undefined {
  const found = options.filter((option) => option.name === 'match-set');
  const [set = '', flags = ''] = found[0]?.values ?? [];
  const sides = flags.split(',');
  const others = allRead(
    options.filter((option) => option.name !== 'match-set'),
    setOptions,
  );
  if (found.length !== 1 || others === undefined || !sides.every(isSide)) return undefined;
  return {
    kind: 'set',
    ...(found[0]?.negated && { negated: true }),
    set,
    sides,
    ...(others.length > 0 && { options: others }),
  };
}

function isSide(text: string): text is SetSide {
  return text === 'src' || text === 'dst';
}
