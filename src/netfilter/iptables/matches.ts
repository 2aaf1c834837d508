import type { Family } from '../../common/family.ts';
import type { Condition } from '../meaning.ts';
import type { Match, MatchOption, RecentMatch, SetSide, TransportMatch } from './ast.ts';
import { hexMark, paddedMark, readMark } from './marks.ts';
import {
  addrtypeMeaning,
  conntrackMeaning,
  ipvsMeaning,
  markMeaning,
  negated,
  physdevMeaning,
  recentMeaning,
  setMeaning,
  statisticMeaning,
  transportMeaning,
} from './matchMeaning.ts';
import { matchGrammar } from './matchOptions.ts';
import { canonicalOptions, type OptionGrammar, plainValue, printOptions } from './optionGrammar.ts';
import { otherMatchMeaning } from './otherMatchMeaning.ts';
import { canonicalPortRange } from './ports.ts';
import { canonicalProbability } from './probability.ts';
import { bareWord, isOneWord, quoteForRestore, quoteForSave } from './quote.ts';
import { addrtypeOptions, conntrackOptions, type OptionTyping, physdevOptions, setOptions } from './typedOptions.ts';

export type IptablesSpelling = 'restore' | 'save';

/** All there is to know of one kind of match. */
interface MatchKind<M extends Match> {
  /** Undefined: iptables would not take these options; the match is then kept word by word. */
  read(options: readonly MatchOption[], name: string, isBare: boolean): M | undefined;
  /** ` -m name …`; of a match that is canonical the text that iptables-save prints. */
  print(match: M, spelling: IptablesSpelling): string;
  /** The form in which iptables-save prints the match; the match itself if it is that already. */
  canonical(match: M, family: Family): M;
  /** What it asks of a packet. */
  evaluate(match: M, family: Family): Condition;
}

type KindOf<K extends Match['kind']> = MatchKind<Extract<Match, { kind: K }>>;

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

/** ` --sport … --dport …`: kube-proxy writes them apart from their `-m tcp`. */
export function printTransportOptions(match: TransportMatch, spelling: IptablesSpelling): string {
  let text = '';
  if (match.sourcePort !== undefined) {
    text += `${match.sourcePortNegated ? ' ! --sport ' : ' --sport '}${bareWord(match.sourcePort)}`;
  }
  if (match.destinationPort !== undefined) {
    text += `${match.destinationPortNegated ? ' ! --dport ' : ' --dport '}${bareWord(match.destinationPort)}`;
  }
  return match.options ? text + printOptions(match.options, matchGrammar(match.protocol), spelling) : text;
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
  transport: {
    read: readTransport,
    print: (match, spelling) => ` -m ${match.protocol}${printTransportOptions(match, spelling)}`,
    canonical: canonicalTransport,
    evaluate: transportMeaning,
  },
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
      const everyCount = count(every?.values[0]);
      const packet = options.length === 2 ? 0 : count(plainValue(options, 'packet'));
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
  recent: {
    read: readRecent,
    print: (match, spelling) => (spelling === 'save' ? printSavedRecent(match) : printWrittenRecent(match)),
    canonical: (match, family) => ({
      ...match,
      mask: match.mask ?? (family === 'ipv4' ? '255.255.255.255' : 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'),
      side: match.side ?? 'rsource',
    }),
    evaluate: recentMeaning,
  },
  set: {
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
  },
  nfacct: {
    read: (options) => {
      const name = onlyOption(options, 'nfacct-name')?.values[0];
      return name === undefined ? undefined : { kind: 'nfacct', name };
    },
    print: (match) => ` -m nfacct --nfacct-name ${bareWord(match.name)}`,
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

/** A match that is nothing but its options. */
interface TypedMatch<K, O> {
  readonly kind: K;
  readonly options: readonly O[];
}

function typedMatch<K extends 'conntrack' | 'addrtype' | 'physdev', O extends { readonly name: string }>(
  kind: K,
  typing: OptionTyping<O>,
  meaning: (options: readonly O[]) => Condition,
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
    evaluate: ({ options }: TypedMatch<K, O>) => meaning(options),
  };
  return all as unknown as KindOf<K>;
}

function allRead<O>(options: readonly MatchOption[], typing: OptionTyping<O>): readonly O[] | undefined {
  const typed: O[] = [];
  for (const option of options) {
    const read = typing.read(option);
    if (read === undefined) return undefined;
    typed.push(read);
  }
  return typed;
}

/** The options in the form of iptables-save; the given ones if they are that already. */
function canonicalTyped<O extends { readonly name: string }>(
  options: readonly O[],
  typing: OptionTyping<O>,
  grammar: OptionGrammar | undefined,
  family: Family,
): readonly O[] {
  if (!grammar) return options;
  const words = options.map(typing.write);
  const canonical = canonicalOptions(words, grammar, family);
  const isSame = canonical.length === words.length && canonical.every((option, at) => option === words[at]);
  return isSame ? options : (allRead(canonical, typing) ?? options);
}

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
  const isSame =
    options.length === match.options.length && options.every((option, at) => option === match.options?.[at]);
  return isSame ? match : { ...match, options };
}

function readTransport(options: readonly MatchOption[], protocol: string): TransportMatch | undefined {
  if (options.length === 0) {
    return { kind: 'transport', protocol };
  }
  let source: MatchOption | undefined;
  let destination: MatchOption | undefined;
  let others: MatchOption[] | undefined;
  for (const option of options) {
    if (option.name === 'dport' && !destination) {
      destination = option;
    } else if (option.name === 'sport' && !source) {
      source = option;
    } else if (option.name === 'dport' || option.name === 'sport') {
      return undefined;
    } else {
      others = others ? [...others, option] : [option];
    }
  }
  if (destination && options.length === 1 && !destination.negated) {
    return { kind: 'transport', protocol, destinationPort: destination.values[0] ?? '' };
  }
  return {
    kind: 'transport',
    protocol,
    ...(destination && { destinationPort: destination.values[0] ?? '' }),
    ...(destination?.negated && { destinationPortNegated: true }),
    ...(source && { sourcePort: source.values[0] ?? '' }),
    ...(source?.negated && { sourcePortNegated: true }),
    ...(others && { options: others }),
  };
}

function canonicalTransport(match: TransportMatch, family: Family): TransportMatch {
  const destinationPort = keptRange(match.destinationPort, match.destinationPortNegated);
  const sourcePort = keptRange(match.sourcePort, match.sourcePortNegated);
  const grammar = matchGrammar(match.protocol);
  const options = match.options && grammar ? canonicalOptions(match.options, grammar, family) : match.options;
  if (
    destinationPort === match.destinationPort &&
    sourcePort === match.sourcePort &&
    options === undefined &&
    match.optionsFollow === undefined
  ) {
    return match;
  }
  return {
    kind: 'transport',
    protocol: match.protocol,
    ...(destinationPort !== undefined && { destinationPort }),
    ...(match.destinationPortNegated && { destinationPortNegated: true }),
    ...(sourcePort !== undefined && { sourcePort }),
    ...(match.sourcePortNegated && { sourcePortNegated: true }),
    ...(options && options.length > 0 && { options }),
  };
}

/** iptables-save leaves `! --dport 0:65535` out too, though it matches nothing; dropping it would turn the rule around. */
function keptRange(range: string | undefined, negated: boolean | undefined): string | undefined {
  if (range === undefined) {
    return undefined;
  }
  return canonicalPortRange(range) ?? (negated ? '0:65535' : undefined);
}

function readRecent(options: readonly MatchOption[]): RecentMatch | undefined {
  if (new Set(options.map(({ name }) => name)).size < options.length) {
    return undefined;
  }
  const draft: { -readonly [K in keyof RecentMatch]?: RecentMatch[K] } = {};
  for (const option of options) {
    const { name, negated } = option;
    const value = option.values[0] ?? '';
    if (name === 'set' || name === 'rcheck' || name === 'update' || name === 'remove') {
      if (draft.action) {
        return undefined;
      }
      draft.action = name;
      if (negated) {
        draft.negated = true;
      }
      continue;
    }
    if (negated) {
      return undefined;
    }
    const number = count(value);
    if (name === 'name') {
      draft.name = value;
    } else if (name === 'seconds' && number !== undefined) {
      draft.seconds = number;
    } else if (name === 'hitcount' && number !== undefined) {
      draft.hitcount = number;
    } else if (name === 'reap') {
      draft.isReaping = true;
    } else if (name === 'rttl') {
      draft.hasTtl = true;
    } else if (name === 'mask') {
      draft.mask = value;
    } else if (name === 'rsource' || name === 'rdest') {
      draft.side = name;
    } else {
      return undefined;
    }
  }
  const { action, name = 'DEFAULT' } = draft;
  return action ? { kind: 'recent', ...draft, action, name } : undefined;
}

/** kube-proxy names the list first. */
function printWrittenRecent(match: RecentMatch): string {
  return ` -m recent --name ${bareWord(match.name)}${printRecentAction(match)}${printRecentSide(match)}`;
}

function printSavedRecent(match: RecentMatch): string {
  return ` -m recent${printRecentAction(match)} --name ${bareWord(match.name)}${printRecentSide(match)}`;
}

function printRecentAction(match: RecentMatch): string {
  let text = `${match.negated ? ' ! --' : ' --'}${match.action}`;
  if (match.seconds !== undefined) {
    text += ` --seconds ${match.seconds}`;
  }
  if (match.isReaping) {
    text += ' --reap';
  }
  if (match.hitcount !== undefined) {
    text += ` --hitcount ${match.hitcount}`;
  }
  return match.hasTtl ? `${text} --rttl` : text;
}

function printRecentSide(match: RecentMatch): string {
  const mask = match.mask === undefined ? '' : ` --mask ${bareWord(match.mask)}`;
  return match.side === undefined ? mask : `${mask} --${match.side}`;
}

function onlyOption(options: readonly MatchOption[], name: string, mayNegate = false): MatchOption | undefined {
  const option = options[0];
  return options.length === 1 && option?.name === name && (mayNegate || !option.negated) ? option : undefined;
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
