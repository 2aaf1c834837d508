/** Says that somebody left lines out: `...`, `[snip]`, `<output omitted>`, `(...)`, `--- 8< ---`, `… 40 more rules`. */
export function isGap(line: string): boolean {
  const text = line.replace(/^(?:#+|\/\/)\s*/, '');
  return text.length <= longest && (dots.test(text) || word.test(text) || scissors.test(text));
}

const longest = 100;
/** Dots alone, in brackets with a few words, or in front of some. */
const dots =
  /^(?:\.{2,}|…+)$|^[[(<{]\s*(?:\.{2,}|…)[^)\]}>]*[)\]}>]$|^(?:\.{2,}|…)\s*(?:and |\d+ )?(?:more|many|lots|other|etc)\b/i;
const word =
  /^[[(<{*-]*\s*(?:snip(?:ped|pet)?|skip(?:ped)?|omitted|trimmed|truncated|cut|(?:output|rest|rules|lines) (?:omitted|truncated|cut|trimmed|snipped|removed))(?: [\w ]{0,40})?\s*[)\]}>*-]*$/i;
const scissors = /^-{1,}\s*(?:8<|>8|✂|snip|cut)/i;
