/**
 * A text as iptables-save prints it: bare if it consists of letters, digits, `_` and `-`; otherwise in double quotes
 * with a backslash before `"`, `\` and `'`.
 */
export function quoteForSave(text: string): string {
  const length = text.length;
  let hasSpecial = length === 0;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (!isSafe(code)) {
      hasSpecial = true;
      if (code < 0x20 || code === 0x22 || code === 0x27 || code === 0x5c) {
        return `"${escaped(text, /["\\']/g)}"`;
      }
    }
  }
  return hasSpecial ? `"${text}"` : text;
}

/** A text in double quotes as kube-proxy writes it for iptables-restore: only what would end the text is escaped. */
export function quoteForRestore(text: string): string {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c) {
      return `"${escaped(text, /["\\]/g)}"`;
    }
  }
  return `"${text}"`;
}

/** A word that needs no quotes for iptables-restore to read it as one, quoted if it does. */
export function bareWord(text: string): string {
  return isOneWord(text) ? text : quoteForRestore(text);
}

/** Whether iptables-restore reads the text, written without quotes, as this one word. */
export function isOneWord(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code === 0x22) {
      return false;
    }
  }
  // A lone backslash at the end of a line would wrap it, as people's shells and pastes do.
  return text.length > 0 && text !== '!' && text !== '\\';
}

/** Rules are lines: a line break inside a text would start a rule of its own, and no spelling for one exists. */
function escaped(text: string, special: RegExp): string {
  return text.replace(/[\0\r\n]/g, '?').replace(special, '\\$&');
}

function isSafe(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x2d ||
    code === 0x5f
  );
}
