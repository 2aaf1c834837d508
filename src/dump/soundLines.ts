/**
 * Lines and chains of iptables that a tool can read, as earlier dumps showed: in dumps of other nodes, which mostly hold the
 * same, they are not parsed again.
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
      // A piece of a text would keep all of it in memory.
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
