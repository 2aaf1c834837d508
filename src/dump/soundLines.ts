/**
 * Lines and chains of iptables that were readable in earlier dumps: dumps of other nodes mostly hold the same, and do
 * not parse them again.
 */
export interface SoundLines {
  readonly has: (text: string) => boolean;
  readonly add: (text: string) => void;
}

/** Keeps a bounded number of texts. */
export function soundLines(): SoundLines {
  const known = new Set<string>();
  let size = 0;
  return {
    has: (text) => known.has(text),
    add: (text) => {
      size += text.length;
      if (size > mostKept) return;
      // A slice of a text would keep the whole text in memory.
      known.add(ownText(text));
    },
  };
}

function ownText(text: string): string {
  return decoder.decode(encoder.encode(text));
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Characters: the rules of some ten thousand Services. */
const mostKept = 64 << 20;
