import type { NftElement, NftKey, NftSpelling } from './ast.ts';
import { asNumber, asRecord, asText, defined, only } from './read/jsonValue.ts';
import { keyFromJson } from './read/keyFromJson.ts';
import { accept, type Tokens, takeWord } from './read/tokenizer.ts';
import { counterStatement } from './statements/counter.ts';
import { limitStatement } from './statements/limit.ts';
import { datatypeOf } from './values/datatypes.ts';
import { formatDuration, formatSeconds, parseDuration } from './values/duration.ts';
import { readVerdict, verdictFromJson, writeVerdict } from './verdict.ts';
import { quoted } from './write/quoted.ts';

/** Reads `10.0.0.1 . tcp . 80 comment "x" : goto chain`; undefined: not an element. */
function readElement(words: Tokens): NftElement | undefined {
  const key = readKey(words);
  if (key === undefined) {
    return undefined;
  }
  // Most elements are a key, or a key and a verdict.
  let element: NftElement = { key };
  for (;;) {
    if (accept(words, 'comment')) {
      const comment = takeWord(words);
      if (comment === undefined) {
        return undefined;
      }
      element = { ...element, comment };
    } else if (accept(words, 'timeout')) {
      const timeout = parseDuration(takeWord(words) ?? '');
      if (timeout === undefined) {
        return undefined;
      }
      element = { ...element, timeout };
    } else if (accept(words, 'expires')) {
      const expires = parseDuration(takeWord(words) ?? '');
      if (expires === undefined) {
        return undefined;
      }
      element = { ...element, expires };
    } else if (words.words[words.at] === 'counter') {
      const counter = counterStatement.read(words);
      if (counter === undefined) {
        return undefined;
      }
      element = { ...element, counter };
    } else if (words.words[words.at] === 'limit') {
      const limit = limitStatement.read(words);
      if (limit === undefined) {
        return undefined;
      }
      element = { ...element, limit };
    } else if (accept(words, 'last')) {
      // When it was last used: `used never`, `used 3s`.
      if (accept(words, 'used')) takeWord(words);
    } else {
      break;
    }
  }
  if (!accept(words, ':')) {
    return element;
  }
  const verdict = readVerdict(words);
  if (verdict !== undefined) {
    return { ...element, verdict };
  }
  const value = readKey(words);
  return value === undefined ? undefined : { ...element, value };
}

/** Reads `{ …, … }` with the opening brace; undefined if it cannot be read to its end. */
export function readElements(words: Tokens): readonly NftElement[] | undefined {
  if (!accept(words, '{')) {
    return undefined;
  }
  const elements: NftElement[] = [];
  while (!accept(words, '}')) {
    const element = readElement(words);
    if (element === undefined || (words.words[words.at] !== '}' && !accept(words, ','))) {
      return undefined;
    }
    elements.push(element);
  }
  return elements;
}

/** Reads words joined by ` . `. */
export function readKey(words: Tokens): NftKey | undefined {
  const first = takeWord(words);
  if (first === undefined) {
    return undefined;
  }
  if (words.words[words.at] !== '.') {
    return [first];
  }
  const key = [first];
  while (accept(words, '.')) {
    const next = takeWord(words);
    if (next === undefined) {
      return undefined;
    }
    key.push(next);
  }
  return key;
}

export function writeElement(
  element: NftElement,
  spelling: NftSpelling,
  types: readonly string[] = [],
  valueTypes: readonly string[] = [],
  isNumeric = false,
): string {
  let text = writeKey(element.key, spelling, types);
  const duration = spelling === 'transaction' || isNumeric ? formatSeconds : formatDuration;
  if (element.counter !== undefined) {
    text += ` ${counterStatement.write(element.counter, spelling)}`;
  }
  if (element.limit !== undefined) {
    text += ` ${limitStatement.write(element.limit, spelling)}`;
  }
  if (element.timeout !== undefined) {
    text += ` timeout ${duration(element.timeout)}`;
  }
  if (element.expires !== undefined && spelling === 'listing') {
    text += ` expires ${duration(element.expires)}`;
  }
  if (element.comment !== undefined) {
    text += ` comment ${quoted(element.comment)}`;
  }
  if (element.verdict !== undefined) {
    return `${text} : ${writeVerdict(element.verdict)}`;
  }
  return element.value === undefined ? text : `${text} : ${writeKey(element.value, spelling, valueTypes)}`;
}

/** Interface names are quoted where nft would (a transaction of kube-proxy does not quote them). */
export function writeKey(key: NftKey, spelling: NftSpelling, types: readonly string[] = []): string {
  if (!types.includes('ifname')) {
    return key.length === 1 ? (key[0] ?? '') : key.join(' . ');
  }
  return key
    .map((part, index) =>
      datatypeOf(types[index] ?? '')?.isQuoted === true && (spelling === 'listing' || !plainName.test(part))
        ? quoted(part)
        : part,
    )
    .join(' . ');
}

const plainName = /^[A-Za-z0-9_.*-]+$/;

/** An element of a JSON set, or with `valueTypes` a pair of a JSON map. */
export function elementFromJson(
  value: unknown,
  types: readonly string[],
  valueTypes?: readonly string[],
): NftElement | undefined {
  if (valueTypes === undefined) {
    return keyed(value, types);
  }
  const pair = Array.isArray(value) ? value : [];
  const element = keyed(pair[0], types);
  const verdict = verdictFromJson(pair[1]);
  if (element === undefined || verdict !== undefined) {
    return element === undefined || verdict === undefined ? undefined : { ...element, verdict };
  }
  const mapped = keyFromJson(pair[1], valueTypes);
  return mapped === undefined ? undefined : { ...element, value: mapped };
}

function keyed(value: unknown, types: readonly string[]): NftElement | undefined {
  const [kind, body] = only(value) ?? [];
  const details = kind === 'elem' ? asRecord(body) : undefined;
  const key = keyFromJson(details === undefined ? value : details.val, types);
  if (key === undefined || details === undefined) {
    return key === undefined ? undefined : { key };
  }
  const seconds = (name: string) => {
    const count = asNumber(details[name]);
    return count === undefined ? undefined : count * 1000;
  };
  return {
    key,
    ...defined({
      comment: asText(details.comment),
      timeout: seconds('timeout'),
      expires: seconds('expires'),
      counter: 'counter' in details ? counterStatement.fromJson(details.counter, 'counter') : undefined,
    }),
  };
}
