/**
 * Restores characters that a web page, a mail or a word processor replaced: no-break spaces, typographic quotes and
 * dashes, HTML entities. Lines keep their numbers.
 */
export function plainCharacters(source: string): string {
  let text = source;
  if (text.includes('&') && entity.test(text))
    text = text.replace(entities, (whole, name: string) => entityTexts[name] ?? whole);
  // A dump of a hundred megabytes is nearly always plain; for a text of one byte a character the pattern costs nothing.
  if (!beyondLatin.test(text) && !latin.some((one) => text.includes(one))) return text;
  if (blanks.test(text)) text = text.replace(allBlanks, ' ');
  if (invisible.test(text)) text = text.replace(allInvisible, '');
  if (!typographic.test(text)) return text;
  return text
    .split('\n')
    .map((line) => (ruleLike.test(line) ? plainRule(line) : line))
    .join('\n');
}

/** `–dport` was `--dport`, `–A` was `-A`; quotes around a comment. */
function plainRule(line: string): string {
  return line
    .replace(/(^|\s|!)-?[–—−]([a-zA-Z][\w-]*)/g, (_, before: string, word: string) =>
      word.length === 1 ? `${before}-${word}` : `${before}--${word}`,
    )
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‘’‚‛]/g, "'");
}

const entity = /&(?:quot|gt|lt|amp|nbsp|#39|#34|#x27|apos);/;
const entities = /&(quot|gt|lt|amp|nbsp|#39|#34|#x27|apos);/g;
const entityTexts: Readonly<Record<string, string>> = {
  quot: '"',
  '#34': '"',
  gt: '>',
  lt: '<',
  amp: '&',
  nbsp: ' ',
  '#39': "'",
  '#x27': "'",
  apos: "'",
};
const beyondLatin = /[\u0100-\uffff]/;
/** Of the characters below those that are below it. */
const latin = ['\u00a0', '\u00ad', '«', '»'];
const blanks = /[\u00a0\u2007\u202f\u2002\u2003\u2009\u3000]/;
const allBlanks = /[\u00a0\u2007\u202f\u2002\u2003\u2009\u3000]/g;
const invisible = /\u200b|\u200c|\u200d|\u2060|\u00ad|.\ufeff/;
const allInvisible = /\u200b|\u200c|\u200d|\u2060|\u00ad|(?<=.)\ufeff/g;
const typographic = /[–—−“”„‟«»‘’‚‛]/;
/** Options of iptables, ipset, ipvsadm and nft. */
const ruleLike =
  /^[\s>|+*•`]*(?:[–—−-]{1,2}[A-Za-z]|\[\d+:\d+\] [–—−-]|.*\s[–—−-]{1,2}(?:j|comment|dport|d|s) |.*\bcomment [“"])/;
