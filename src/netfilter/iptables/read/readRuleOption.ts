import { matchGrammar } from '../options/matchOptions.ts';
import type { OptionRule } from '../options/optionGrammar.ts';
import { isOneWord } from '../print/quote.ts';
import { canonicalProtocol } from '../values/protocols.ts';
import {
  addMatch,
  type Extension,
  isQuoted,
  noOptions,
  problemAt,
  type Reader,
  type ReaderProblem,
} from './ruleReader.ts';

/** Reads `--name VALUE…` at `index` into the match or target that it belongs to. */
export function readRuleOption(reader: Reader, index: number, word: string): ReaderProblem | undefined {
  const equals = word.indexOf('=');
  const name = equals === -1 ? word.slice(2) : word.slice(2, equals);
  if (name === '') {
    return problemAt(index, 'an option that rules do not have');
  }
  const owner = ownerOf(reader, name);
  if (!owner) {
    return problemAt(index, 'an option of no match or target named before it');
  }
  const rule = owner.grammar?.byName.get(name);
  if (rule?.words === 0 && equals !== -1) {
    return problemAt(index, `--${name} takes no value`);
  }
  const values: string[] = equals === -1 ? [] : [word.slice(equals + 1)];
  if (values.length === 0 && rule?.words !== 0 && negatesValue(reader, rule)) {
    reader.negatedAt = reader.at;
    reader.at += 1;
  }
  const quotedValues = takeValues(reader, values, rule);
  if (!quotedValues) {
    return problemAt(index, `--${name} needs ${rule?.words === 2 ? 'two values' : 'a value'}`);
  }
  owner.isBare = !quotedValues.isQuoted;
  if (owner.options.length === 0) {
    owner.firstOptionAt = reader.items.length;
  }
  const option = { name: rule?.name ?? name, values };
  if (rule) {
    owner.options.push(reader.negatedAt === -1 ? option : { ...option, negated: true });
  } else {
    const isNegated = reader.negatedAt !== -1;
    owner.options.push({
      ...option,
      ...(isNegated && { negated: true }),
      ...(quotedValues.isQuoted && { isQuoted: true }),
    });
  }
  return undefined;
}

/** `--dport ! 80`, the old place of a negation. Before an option it is that option's, if nobody knows this one. */
function negatesValue(reader: Reader, rule: OptionRule | undefined): boolean {
  if (reader.words[reader.at] !== '!' || isQuoted(reader, reader.at)) return false;
  const next = reader.words[reader.at + 1];
  return rule !== undefined || (next !== undefined && (!next.startsWith('-') || isQuoted(reader, reader.at + 1)));
}

/** The words of an option: as many as it takes, of an unknown one all up to the next option. */
function takeValues(
  reader: Reader,
  values: string[],
  rule: OptionRule | undefined,
): { readonly isQuoted: boolean } | undefined {
  let isAnyQuoted = false;
  const wanted = rule ? (rule.words ?? 1) : Number.POSITIVE_INFINITY;
  while (values.length < wanted && reader.at < reader.words.length) {
    const word = reader.words[reader.at] ?? '';
    const quoted = isQuoted(reader, reader.at);
    if (!rule && !quoted && (word.startsWith('-') || word === '!')) {
      break;
    }
    isAnyQuoted ||= quoted;
    values.push(word);
    reader.at += 1;
  }
  // `--option=-1`: without the equals sign only quotes keep such a value from being read as an option.
  const looksLikeOption = !rule && values.some((value) => value.startsWith('-') || !isOneWord(value));
  return rule && values.length < wanted ? undefined : { isQuoted: isAnyQuoted || looksLikeOption };
}

/**
 * Whose option this is. iptables asks the match or target named last first; `--dport` alone loads the match of the
 * protocol; and of a match nobody here knows every option is taken to be its own.
 */
function ownerOf(reader: Reader, name: string): Extension | undefined {
  const { extensions } = reader;
  for (let at = extensions.length - 1; at >= 0; at -= 1) {
    if (extensions[at]?.grammar?.byName.has(name)) {
      return extensions[at];
    }
  }
  const last = extensions.at(-1);
  if (last && !last.grammar && !last.isTarget) {
    return last;
  }
  const implied = impliedMatch(reader.protocol);
  if (implied !== undefined && matchGrammar(implied)?.byName.has(name)) {
    return addMatch(reader, implied);
  }
  // A known one may have got an option in a later version; a verdict or a chain has none.
  return extensions.findLast((candidate) => !candidate.grammar) ?? (last?.grammar === noOptions ? undefined : last);
}

function impliedMatch(protocol: string | undefined): string | undefined {
  const name = protocol === undefined ? undefined : canonicalProtocol(protocol);
  return name === 'ipv6-icmp' ? 'icmp6' : name;
}
