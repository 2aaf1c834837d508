import type { Family } from '../../common/addresses/family.ts';
import { sameItems } from '../../common/sameItems.ts';
import type { Condition } from '../meaning.ts';
import type { Match, MatchOption } from './ast.ts';
import type { IptablesSpelling, KindOf, MatchKind } from './matchKind.ts';
import { addrtypeMeaning } from './meaning/addrtypeMeaning.ts';
import {
  conntrackMeaning,
  ipvsMeaning,
  markMeaning,
  negated,
  physdevMeaning,
  statisticMeaning,
} from './meaning/matchMeaning.ts';
import { otherMatchMeaning } from './meaning/otherMatchMeaning.ts';
import { matchGrammar } from './options/matchOptions.ts';
import { canonicalOptions, countOf, plainValue, printOptions } from './options/optionGrammar.ts';
import { recentMatch } from './options/recentMatch.ts';
import { setMatch } from './options/setMatch.ts';
import { transportMatch } from './options/transportMatch.ts';
import { typedMatch } from './options/typedMatch.ts';
import { addrtypeOptions, conntrackOptions, physdevOptions } from './options/typedOptions.ts';
import { bareWord, isOneWord, quoteForRestore, quoteForSave } from './print/quote.ts';
import { hexMark, paddedMark, readMark } from './values/marks.ts';
import { canonicalProbability } from './values/probability.ts';

/** Reads the options behind `-m name`; `isBare`: their values were written without quotes. */
export function readMatch(name: string, options: readonly MatchOption[], isBare: boolean): Match {
  const match = kinds[kindByName.get(name) ?? 'other'].read(options, name, isBare);
  return match ?? { kind: 'other', name, options };
}

export function printMatch(match: Match, spelling: IptablesSpelling): string {
  return (kinds[match.kind] as MatchKind<Match>).print(match, spelling);
}

export function canonicalMatch(match: Match, family: Family): Match {
  return (kinds[match.kind] as MatchKind<Match>).canonical(match, family);
}

export function evaluateMatch(match: Match, family: Family): Condition {
  return (kinds[match.kind] as MatchKind<Match>).evaluate(match, family);
}

const kinds: { readonly [K in Match['kind']]: KindOf<K> } = {
  comment: {
    read: (options, _name, isBare) => {
      const text = onlyOption(options, 'comment')?.values[0];
      if (text === undefined) {
        return undefined;
      }
      return isBare ? { kind: 'comment', text, isBare } : { kind: 'comment', text };
    },
    print: (match, spelling) => {
      if (spelling === 'save') {
        return ` -m comment --comment ${quoteForSave(match.text)}`;
      }
      return match.isBare && isOneWord(match.text)
        ? ` -m comment --comment ${match.text}`
        : ` -m comment --comment ${quoteForRestore(match.text)}`;
    },
    canonical: (match) => (match.isBare === undefined ? match : { kind: 'comment', text: match.text }),
    evaluate: () => ({ kind: 'always' }),
  },
  transport: transportMatch,
  mark: {
    read: (options) => {
      const option = onlyOption(options, 'mark', true);
      const [valueText = '', maskText = '0xffffffff', ...rest] = option?.values[0]?.split('/') ?? [];
      const value = readMark(valueText);
      const mask = readMark(maskText);
      return value === undefined || mask === undefined || rest.length > 0
        ? undefined
        : { kind: 'mark', ...(option?.negated && { negated: true }), value, mask };
    },
    print: (match, spelling) => {
      const hex = spelling === 'save' ? hexMark : paddedMark;
      const mask = match.mask === 0xffffffff ? '' : `/${hex(match.mask)}`;
      return `${match.negated ? ' -m mark ! --mark ' : ' -m mark --mark '}${hex(match.value)}${mask}`;
    },
    canonical: (match) => match,
    evaluate: (match) => negated(markMeaning('mark', match.value, match.mask), match.negated),
  },
  statistic: {
    read: (options) => {
      const probability = options.find((option) => option.name === 'probability');
      const every = options.find((option) => option.name === 'every');
      const mode = plainValue(options, 'mode');
      if (mode === 'random' && probability && options.length === 2) {
        const negated = probability.negated && { negated: true };
        return { kind: 'statistic', mode, ...negated, probability: probability.values[0] ?? '' };
      }
      const everyCount = countOf(every?.values[0]);
      const packet = options.length === 2 ? 0 : countOf(plainValue(options, 'packet'));
      return mode === 'nth' && everyCount !== undefined && packet !== undefined && options.length <= 3
        ? { kind: 'statistic', mode, ...(every?.negated && { negated: true }), every: everyCount, packet }
        : undefined;
    },
    print: (match) => {
      const not = match.negated ? ' !' : '';
      return match.mode === 'random'
        ? ` -m statistic --mode random${not} --probability ${bareWord(match.probability)}`
        : ` -m statistic --mode nth${not} --every ${match.every} --packet ${match.packet}`;
    },
    canonical: (match) => {
      if (match.mode === 'nth') {
        return match;
      }
      const probability = canonicalProbability(match.probability);
      return probability === match.probability ? match : { ...match, probability };
    },
    evaluate: statisticMeaning,
  },
  recent: recentMatch,
  set: setMatch,
  nfacct: {
    read: (options) => {
      const name = onlyOption(options, 'nfacct-name')?.values[0];
      return name === undefined ? undefined : { kind: 'nfacct', name };
    },
    // iptables-save writes two blanks (1.8.7 to 1.8.11).
    print: (match, spelling) => ` -m nfacct --nfacct-name${spelling === 'save' ? '  ' : ' '}${bareWord(match.name)}`,
    canonical: (match) => match,
    evaluate: () => ({ kind: 'always' }),
  },
  conntrack: typedMatch('conntrack', conntrackOptions, conntrackMeaning),
  addrtype: typedMatch('addrtype', addrtypeOptions, addrtypeMeaning),
  physdev: typedMatch('physdev', physdevOptions, physdevMeaning),
  ipvs: {
    read: (options) => ({ kind: 'ipvs', options }),
    print: (match, spelling) => ` -m ipvs${printOptions(match.options, matchGrammar('ipvs'), spelling)}`,
    canonical: (match, family) => withCanonicalOptions(match, 'ipvs', family),
    evaluate: ({ options }) => ipvsMeaning(options),
  },
  other: {
    read: (options, name) => ({ kind: 'other', name, options }),
    print: (match, spelling) =>
      ` -m ${bareWord(match.name)}${printOptions(match.options, matchGrammar(match.name), spelling)}`,
    canonical: (match, family) => withCanonicalOptions(match, match.name, family),
    evaluate: ({ name, options }, family) => otherMatchMeaning(name, options, family),
  },
};

const kindByName: ReadonlyMap<string, Match['kind']> = new Map<string, Match['kind']>([
  ['comment', 'comment'],
  ['tcp', 'transport'],
  ['udp', 'transport'],
  ['sctp', 'transport'],
  ['dccp', 'transport'],
  ['udplite', 'transport'],
  ['mark', 'mark'],
  ['statistic', 'statistic'],
  ['recent', 'recent'],
  ['set', 'set'],
  ['nfacct', 'nfacct'],
  ['conntrack', 'conntrack'],
  ['addrtype', 'addrtype'],
  ['physdev', 'physdev'],
  ['ipvs', 'ipvs'],
]);

function withCanonicalOptions<M extends { readonly options?: readonly MatchOption[] }>(
  match: M,
  name: string,
  family: Family,
): M {
  const grammar = matchGrammar(name);
  if (!grammar || !match.options) {
    return match;
  }
  const options = canonicalOptions(match.options, grammar, family);
  return sameItems(options, match.options) ? match : { ...match, options };
}

function onlyOption(options: readonly MatchOption[], name: string, mayNegate = false): MatchOption | undefined {
  const option = options[0];
  return options.length === 1 && option?.name === name && (mayNegate || !option.negated) ? option : undefined;
}
