/** The words of a rule line, as iptables-restore splits it. */
export interface Words {
  readonly words: readonly string[];
  /** True for words that were written in quotes, nothing for the others. */
  readonly quoted?: readonly (boolean | undefined)[];
  /** A quote that is never closed. */
  readonly isOpen?: boolean;
}

/**
 * Splits a line as iptables-restore does: at spaces and tabs; a double quote anywhere opens a quoted part, the next one
 * ends the word at once; a backslash escapes only inside quotes; single quotes mean nothing.
 */
export function tokenize(line: string): Words {
  if (!line.includes('"') && !line.includes('\t')) {
    const words = line.split(' ');
    return { words: words.includes('') ? words.filter((word) => word !== '') : words };
  }
  const words: string[] = [];
  const quoted: boolean[] = [];
  const hasTabs = line.includes('\t');
  let quote = line.indexOf('"');
  for (let at = 0; at < line.length; ) {
    const code = line.charCodeAt(at);
    if (code === 0x20 || code === 0x09) {
      at += 1;
      continue;
    }
    const end = nextBlank(line, at, hasTabs);
    if (quote === -1 || quote >= end) {
      words.push(line.slice(at, end));
      at = end + 1;
      continue;
    }
    const close = closingQuote(line, quote + 1);
    if (close === -1) {
      return { words, quoted, isOpen: true };
    }
    quoted[words.length] = true;
    words.push(line.slice(at, quote) + unescaped(line, quote + 1, close));
    at = close + 1;
    quote = line.indexOf('"', at);
  }
  return { words, quoted };
}

/** The column (from 1) at which the word number `index` of a line begins. */
export function columnOfWord(line: string, index: number): number {
  let count = -1;
  let isInWord = false;
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === 0x20 || code === 0x09) {
      isInWord = false;
      continue;
    }
    if (!isInWord) {
      isInWord = true;
      count += 1;
      if (count === index) {
        return at + 1;
      }
    }
    if (code === 0x22) {
      const end = closingQuote(line, at + 1);
      if (end === -1) {
        break;
      }
      at = end;
      isInWord = false;
    }
  }
  return line.length + 1;
}

function nextBlank(line: string, at: number, hasTabs: boolean): number {
  const space = line.indexOf(' ', at);
  const end = space === -1 ? line.length : space;
  if (!hasTabs) {
    return end;
  }
  for (let next = at; next < end; next += 1) {
    if (line.charCodeAt(next) === 0x09) {
      return next;
    }
  }
  return end;
}

function closingQuote(line: string, from: number): number {
  let end = line.indexOf('"', from);
  while (end !== -1 && isEscaped(line, from, end)) {
    end = line.indexOf('"', end + 1);
  }
  return end;
}

function isEscaped(line: string, from: number, at: number): boolean {
  let before = at;
  while (before > from && line.charCodeAt(before - 1) === 0x5c) {
    before -= 1;
  }
  return (at - before) % 2 === 1;
}

function unescaped(line: string, from: number, to: number): string {
  const text = line.slice(from, to);
  return text.includes('\\') ? text.replace(/\\([\s\S])/g, '$1') : text;
}
