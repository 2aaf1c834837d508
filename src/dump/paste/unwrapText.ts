import { withoutCommonPrefix } from './commonPrefix.ts';
import { decodeMail } from './decodeMail.ts';
import { jsonTexts } from './jsonTexts.ts';
import { plainCharacters } from './plainCharacters.ts';

/**
 * Removes what copying puts around every line of a text: quote marks, borders, line numbers, times, the `+` of a patch,
 * Windows line ends, colors. Turns the escapes of a JSON string back into line breaks. Lines keep their numbers.
 */
export function unwrapText(source: string): string {
  let text = source.includes('\r') ? source.replace(/\r+\n/g, '\n').replace(/\r$/, '') : source;
  if (text.includes('\u001B')) text = text.replace(colours, '').replace(terminal, '');
  if (text.includes('# Warning: ip')) text = text.replace(gluedWarning, '$1$3\n$2');
  text = jsonTexts(text) ?? unescaped(text);
  if (text.includes('=\n')) text = decodeMail(text);
  if (text.includes('<')) text = withoutTags(text);
  text = plainCharacters(oneRuleALine(text));
  if (text.includes('```') || text.includes('~~~')) text = text.replace(/^\s*(?:```|~~~).*$/gm, '');
  for (let round = 0; round < mostLayers; round += 1) {
    const layer = layerOf(text);
    if (layer === undefined) break;
    text = text
      .split('\n')
      .map((line) => line.replace(layer, ''))
      .join('\n');
    if (layer === border) text = text.replace(/[ \t]*[│┃|][ \t]*$/gm, '');
  }
  return withoutCommonPrefix(text, firstLines(text)) ?? text;
}

/**
 * Colors, and the "erase to the end of the line" that grep writes with them; any other escape stays and is shown
 * escaped.
 */
const colours = /\u001B\[[0-9;]*[mK]/g;
/** What `script` records from a shell: bracketed-paste mode, and the window's title. */
const terminal = /\u001B(?:\[\?\d+[hl]|\][^\u0007\n]{0,200}\u0007)\r?/g;
/** A warning that iptables-save writes to standard error, in the middle of a line if both go to one file. */
const gluedWarning = /^([^#\n][^\n]*?)(# Warning: ip6?tables-(?:legacy|nft) tables present[^\n]*)\n([^\n]*)$/gm;
/** A quote of a patch in a mail. */
const mostLayers = 3;

/** Nearly every line must begin like this, or the text is not such a copy. */
function layerOf(text: string): RegExp | undefined {
  const lines = firstLines(text);
  if (lines.length < 2) return undefined;
  const has = (layer: RegExp) => lines.filter((line) => layer.test(line)).length >= lines.length * mostShare;
  return layers.find(has) ?? (isNumbered(lines) ? lineNumber : undefined);
}

const mostShare = 0.8;
const border = /^\s*[│┃|] ?/;
const lineNumber = /^\s*\d{1,7}(?:[:.)|│]\s?|\t| {1,4})/;
const layers: readonly RegExp[] = [
  /^\s*> ?/,
  border,
  /^\+(?=[-:*#[\sA-Zct}]|$)/,
  /^\[\s*\d+\.\d+\]\s*:?\s?/,
  /^\[\d\d:\d\d:\d\d(?:\.\d+)?\]\s?/,
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*\s/,
];

/** Numbers that count the lines; those of `ip addr` and `iptables -L --line-numbers` belong to the text. */
function isNumbered(lines: readonly string[]): boolean {
  const numbers = lines.map((line) => Number(/^\s*(\d{1,7})(?:[:.)|│\t ]|$)/.exec(line)?.[1]));
  const [first = 0] = numbers;
  return (
    lines.length > 3 &&
    numbers.every((number, at) => at === 0 || number > (numbers[at - 1] as number)) &&
    // Empty lines have their own numbers, and are not counted here.
    (numbers.at(-1) as number) - first < 2 * lines.length &&
    lines.some((line) => ruleStart.test(line.replace(lineNumber, '')))
  );
}

const ruleStart =
  /^\s*(?:-[AINP] |\*[a-z]+|:[A-Z]|# Generated|Chain \S+ \(|table \S+ \S+ \{|COMMIT|IP Virtual Server |(?:TCP|UDP|SCTP) +\S+:|create \S+ )/;

const mostListed = 0.6;

function unlisted(text: string): string {
  return text
    .split('\n')
    .map((line) => listed.exec(line)?.[1]?.replace(/\\(.)/g, '$1') ?? line)
    .join('\n');
}

function firstLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length && lines.length < sampled; ) {
    let end = text.indexOf('\n', at);
    if (end === -1) end = text.length;
    const line = text.slice(at, Math.min(end, at + longest));
    if (line.trim() !== '') lines.push(line);
    at = end + 1;
  }
  return lines;
}

const sampled = 40;
const longest = 200;

/** A page turned all lines into one. A comment never contains a rule. */
function oneRuleALine(text: string): string {
  if (hasManyLines(text) || text.split(nextRule, 3).length < 3) return text;
  return text.replace(nextRules, '\n');
}

const nextRule = / (?=(?:\[\d{1,20}:\d{1,20}\] )?-A [A-Z][\w-]{0,40} (?:-|! ))/;
const nextRules = new RegExp(nextRule, 'g');

function hasManyLines(text: string): boolean {
  return text.trim().split('\n', 4).length > 3;
}

/** Items of a JSON list: `"-A KUBE-SERVICES …",`. */
const listed = /^\s*"((?:[^"\\\n]|\\.)*)",?\s*$/;

/** A JSON string, or a field of a log, holds the whole text in one line. */
function unescaped(text: string): string {
  if (text.includes('\\"')) {
    const lines = firstLines(text);
    const quoted = lines.filter((line) => listed.test(line));
    if (quoted.length > lines.length * mostListed) return unlisted(text);
    // A text that a shell or a program escaped as a whole has no other quotes.
    if (!/(?:^|[^\\])"/.test(text)) return text.replaceAll('\\"', '"');
  }
  if (!text.includes('\\n') || hasManyLines(text)) return text;
  const start = text.trimStart();
  if (start.startsWith('{"nftables"') || start.startsWith('{ "nftables"')) return text;
  return text
    .replace(/^\s*"|^[\s\S]{0,200}?"(?=[*#:-]|table )/, '')
    .replace(/\\([nrt"\\/])/g, (_, letter: string) => ({ n: '\n', r: '', t: '\t' })[letter] ?? letter)
    .replace(/"\s*[,}]?\s*\}?\s*$/, '\n');
}

/**
 * Removes the tags of a web page from a text: `<pre>`, `<span class=…>`, `<br>`. Other text in angle brackets stays.
 */
function withoutTags(text: string): string {
  if (!sign.test(text)) return text;
  return text.replace(/<br\s*\/?>(?!\r?\n)/gi, '\n').replace(tags, '');
}

const sign = /<(?:pre|code|br|span|div|p)\b[^<>]{0,500}>/i;
const tags =
  /<\/?(?:html|head|body|pre|code|samp|br|span|div|p|b|i|u|strong|em|font|table|tbody|tr|td|th|ul|ol|li|a|mark)(?:\s[^<>]{0,500})?\/?>/gi;
