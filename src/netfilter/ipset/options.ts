import type { IpsetOption } from './ast.ts';

/** Options of `create`, and whether a value follows. */
const createOptions: ReadonlyMap<string, boolean> = new Map([
  ['family', true],
  ['range', true],
  ['size', true],
  ['hashsize', true],
  ['maxelem', true],
  ['netmask', true],
  ['bitmask', true],
  ['markmask', true],
  ['timeout', true],
  ['bucketsize', true],
  ['initval', true],
  ['counters', false],
  ['comment', false],
  ['skbinfo', false],
  ['forceadd', false],
]);

/** Options of `add` and `del`. */
const memberOptions: ReadonlyMap<string, boolean> = new Map([
  ['timeout', true],
  ['packets', true],
  ['bytes', true],
  ['comment', true],
  ['skbmark', true],
  ['skbprio', true],
  ['skbqueue', true],
  ['before', true],
  ['after', true],
  ['nomatch', false],
  ['wildcard', false],
]);

export type OptionsResult =
  | { readonly options: readonly IpsetOption[]; readonly isExist: boolean }
  /** Index of the word that is no option, or that lacks its value. */
  | { readonly badWord: number };

/** Reads the words from `start` on as options of a set or of a member; `-exist` may stand among them. */
export function readIpsetOptions(words: readonly string[], start: number, of: 'set' | 'member'): OptionsResult {
  const known = of === 'set' ? createOptions : memberOptions;
  const options: IpsetOption[] = [];
  let isExist = false;
  for (let at = start; at < words.length; at += 1) {
    const word = words[at] as string;
    if (isExistFlag(word)) {
      isExist = true;
      continue;
    }
    const name = word.replace(/^--/, '');
    const takesValue = known.get(name);
    if (takesValue === undefined) return { badWord: at };
    if (!takesValue) {
      options.push({ name });
      continue;
    }
    const value = words[at + 1];
    if (value === undefined) return { badWord: at };
    options.push({ name, value });
    at += 1;
  }
  return { options, isExist };
}

/** ` name value …` */
export function printIpsetOptions(options: readonly IpsetOption[]): string {
  let text = '';
  for (const { name, value } of options) {
    if (value === undefined) text += ` ${name}`;
    else text += name === 'comment' ? ` comment "${quotable(value)}"` : ` ${name} ${bare(value)}`;
  }
  return text;
}

export function isExistFlag(word: string): boolean {
  return word === '-exist' || word === '--exist' || word === '-!';
}

/** A word without what would end it, the line or a quoted text; ipset itself has no way to write those. */
export function bare(text: string): string {
  if (isPlain(text)) return text;
  const safe = text.replace(/[\s"\0]/g, '?');
  return safe === '' ? '?' : safe;
}

/** Without regular expressions: sets may have a million members. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x22 || code >= 0x7f) return false;
  }
  return text !== '';
}

function quotable(text: string): string {
  return text.replace(/["\r\n\0]/g, '?');
}
