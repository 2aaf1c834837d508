/**
 * `text` made safe to print: whatever could move the cursor, hide, reorder or imitate text on a terminal (control
 * characters, bidirectional overrides, invisible characters, lone surrogates) becomes a visible escape, `\x1b` or `\u202e`.
 */
export function escapeText(text: string): string {
  return unsafe.test(text) ? text.replace(unsafeEach, escapeOne) : text;
}

/**
 * The same for text that is JSON: it uses JSON's own `\u` escapes, which a JSON reader undoes. Line ends between tokens
 * stay.
 */
export function escapeJson(json: string): string {
  return unsafeInLines.test(json) ? json.replace(unsafeInLinesEach, unicodeEscape) : json;
}

// C0, DEL, C1; soft hyphen; Arabic letter mark; zero-width and bidi marks; line separators and embeddings; invisible
// operators and isolates; BOM; interlinear marks; lone surrogates; tags.
const inLines =
  '[\\u0000-\\t\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\ud800-\\udfff]|[\\u{e0000}-\\u{e007f}]';
const everywhere = `\\n|${inLines}`;
const unsafe = new RegExp(everywhere, 'u');
const unsafeEach = new RegExp(everywhere, 'gu');
const unsafeInLines = new RegExp(inLines, 'u');
const unsafeInLinesEach = new RegExp(inLines, 'gu');

const shortForms: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function escapeOne(character: string): string {
  const code = character.codePointAt(0) as number;
  const short = shortForms.get(character);
  if (short !== undefined) return short;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : unicodeEscape(character);
}

function unicodeEscape(character: string): string {
  let escaped = '';
  for (let at = 0; at < character.length; at += 1) {
    escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
