import { parseRule } from '../../netfilter/iptables/read/parseRule.ts';
import { chainPrefixes } from '../../netfilter/proxyChains.ts';
import { listingReader } from '../listing/listingRow.ts';
import { joinWrapped } from './joinWrapped.ts';

/** A text as iptables-save would print it, with its lines in their places, and observations. */
export interface CleanedText {
  readonly text: string;
  /** Rows of `iptables -L` were translated. */
  readonly hasListing: boolean;
  /** They were listed without -v, which means without interfaces. */
  readonly hidesInterfaces: boolean;
  /** Something shows that lines were left out: `...`. */
  readonly hasGaps: boolean;
  /** Rules whose ends are missing; they are left out. */
  readonly cutLines: readonly number[];
  /** Lines that are known to be meaningless (`--`, fences); the parser reports all others. */
}

/**
 * Removes what people and web pages put around rules: Markdown, quote marks, list bullets, numbers of grep, wrapped
 * lines, `...`. Rules keep the number of the line on which they begin. Rows of `iptables -L` become rules.
 */
export function cleanPaste(source: string): CleanedText {
  const lines = joinWrapped(source.split('\n'));
  const cleaned: string[] = new Array(lines.length).fill('');
  const listing = listingReader();
  let hasGaps = false;
  const cutLines: number[] = [];
  let hasListing = false;
  let hidesInterfaces = false;
  // The place of the rule that a line may continue.
  let open = -1;
  let isContinued = false;
  /** A row of a listing that cannot be read without the next line. */
  let unreadAt = -1;
  for (const [at, raw] of lines.entries()) {
    let line = cleanLine(raw);
    if (isGap(line) || isAboutGap(line, lines[at + 1])) {
      hasGaps = true;
      open = -1;
      isContinued = false;
      continue;
    }
    if (ruleStart.test(line) && cutEnd.test(line) && parseRule(line).kind === 'problem') {
      hasGaps = true;
      cutLines.push(at + 1);
      open = -1;
      continue;
    }
    if (line === '') {
      isContinued = false;
      continue;
    }
    const isNext = open !== -1 && (isContinued || (at - open < wrapLimit && goesOn.test(line)));
    isContinued = line.endsWith('\\');
    if (isContinued) line = line.slice(0, -1).trimEnd();
    if (isNext) {
      cleaned[open] += ` ${line}`;
      continue;
    }
    const wrapped = open === -1 ? undefined : joined(cleaned[open] as string, line, lines[at - 1] ?? '');
    if (wrapped !== undefined) {
      cleaned[open] = wrapped;
      continue;
    }
    let row = listing(line);
    if (row === undefined && unreadAt !== -1) {
      row = listing(`${cleaned[unreadAt]}${line}`) ?? listing(`${cleaned[unreadAt]} ${line}`);
      if (row !== undefined) cleaned[unreadAt] = '';
    }
    unreadAt = row === undefined && hasListing ? at : -1;
    if (row !== undefined) {
      hasListing = true;
      if (shortHeading.test(line)) hidesInterfaces = true;
      cleaned[at] = row;
      open = -1;
      continue;
    }
    cleaned[at] = line;
    open = isContinued || ruleStart.test(line) ? at : -1;
  }
  const last = lastLine(cleaned);
  if (last !== undefined && parseRule(cleaned[last] as string).kind === 'problem') {
    cutLines.push(last + 1);
    cleaned[last] = '';
    hasGaps = true;
  }
  return { text: cleaned.join('\n'), hasListing, hidesInterfaces, hasGaps, cutLines };
}

/** The last line that is not empty, if it begins like a rule: a cut text may end in the middle of it. */
function lastLine(lines: readonly string[]): number | undefined {
  const at = lines.findLastIndex((line) => line !== '');
  return lines.length > 1 && ruleStart.test(lines[at] ?? '') && at > 0 ? at : undefined;
}

/** A pager, an editor or a writer cut the line off. */
const cutEnd = /(?:\.{3}|…|\s[>$+»]|\\?\s*~)$/;

const shortHeading = /^(?:num\s+)?target\s+prot\s+opt\s+source\s/;

/** The rule joined with a line that a terminal broke off; undefined: the line is not such a rest. */
function joined(rule: string, line: string, before: string): string | undefined {
  if (knownStart.test(line) || line.length > longestRest) return undefined;
  const isReadable = parseRule(rule).kind === 'rule';
  const isNumber = before.length >= leastWidth && /[\d.:]$/.test(rule) && /^[\d.:/]+$/.test(line);
  const isName = brokenName.test(rule) && /^[A-Z0-9]+$/.test(line);
  if (isReadable && !isNumber && !isName) return undefined;
  const ways = /\s$/.test(before) ? [`${rule} ${line}`] : [`${rule}${line}`, `${rule} ${line}`];
  return ways.find((text) => parseRule(text).kind === 'rule');
}

const knownStart = /^(?:-[AINPFX] |:|\*|#|COMMIT|Chain |num |pkts |target |\[\d+:\d+\])/;
/** The hash of a chain has sixteen letters. */
const brokenName = new RegExp(` (?:${Object.values(chainPrefixes).join('|')})[A-Z0-9]{0,15}$`);
const longestRest = 4096;
/** No terminal is narrower. */
const leastWidth = 60;

/** A terminal or a page breaks one rule into a few lines; more would be an attempt to keep us busy. */
const wrapLimit = 64;
const ruleStart = /^(?:\[\d+:\d+\] )?-[AI] /;
/** How the rest of a wrapped rule begins. */
const goesOn = /^(?:! )?(?:-[sdiopmjgf] |--[a-z])/;

/** What sudo, ssh, kubectl and conntrack print among the rules. */
const shellTalk =
  /^(?:\[sudo\] password for |Defaulted container "|Defaulting container name to |Warning: Permanently added |Unable to use a TTY|Creating debugging pod |If you don't see a command prompt|Connection to \S+ closed|command terminated with exit code|conntrack v[\d.]+ \(conntrack-tools\)|logout$|exit$)/;

function cleanLine(raw: string): string {
  let line = raw.replace(/^\uFEFF/, '').trim();
  if (line === '') return '';
  if (/^(?:```|~~~)/.test(line) || shellTalk.test(line)) return '';
  // Quotes of mails and Markdown, list bullets, numbers of `grep -n` and file names of `grep -H`.
  line = line.replace(/^(?:>\s*)+/, '').replace(/^(?:[-*+•]|\d{1,3}[.)])\s+(?=[`*]*(?:-[AINP] |\*[a-z]+$|:[A-Z]))/, '');
  line = line.replace(
    /^(?:[^\s:"]{1,256}:)?\d{1,9}[:-](?=-[AINP] |\[\d|:[A-Z]|COMMIT$|\*[a-z]+$|# (?:Generated|Completed) )/,
    '',
  );
  // Counts of `uniq -c`.
  line = line.replace(/^\d{1,9} +(?=-A )/, '');
  line = line.replace(/^`+|`+$/g, '').replace(/\*\*/g, '');
  line = line.replace(
    /^(?:\++\s+)?(?:sudo\s+)?ip6?tables(?:-nft|-legacy)?\s+(?=(?:-w\s+(?:\d+\s+)?)?(?:-t\s+\S+\s+)?-[AIN]\s)/,
    '',
  );
  return line.trim();
}

/** Says that somebody left lines out: `...`, `[snip]`, `<output omitted>`, `(...)`, `--- 8< ---`, `… 40 more rules`. */
function isGap(line: string): boolean {
  const text = line.replace(/^(?:#+|\/\/)\s*/, '');
  return text.length <= longest && (dots.test(text) || word.test(text) || scissors.test(text));
}

/** A comment directly above such a line describes what was left out. */
function isAboutGap(line: string, next: string | undefined): boolean {
  return next !== undefined && /^(?:#|\/\/)/.test(line) && isGap(cleanLine(next));
}

const longest = 100;
/** Dots alone, in brackets with a few words, or in front of some. */
const dots =
  /^(?:\.{2,}|…+)$|^[[(<{]\s*(?:\.{2,}|…)[^)\]}>]*[)\]}>]$|^(?:\.{2,}|…)\s*(?:and |\d+ )?(?:more|many|lots|other|etc)\b/i;
const word =
  /^[[(<{*-]*\s*(?:snip(?:ped|pet)?|skip(?:ped)?|omitted|trimmed|truncated|cut|(?:output|rest|rules|lines) (?:omitted|truncated|cut|trimmed|snipped|removed))(?: [\w ]{0,40})?\s*[)\]}>*-]*$/i;
const scissors = /^-{1,}\s*(?:8<|>8|✂|snip|cut)/i;
