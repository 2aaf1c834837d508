/** Numbers of names that stand as ASCII in some bytes, the same for the same name; no text is made of one that is known. */
export interface NodeNumbers {
  /** The number of a name with this hash, from 0 on in the order of their first use; -1: it is no name. */
  readonly of: (bytes: Buffer, start: number, end: number, hash: number) => number;
  readonly names: readonly string[];
}

/** The hash goes over the characters of a name from the first to the last, from 0 on. */
export function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}

/** `isName` is asked once for each different text. */
export function nodeNumbers(isName: (text: string) => boolean): NodeNumbers {
  const names: string[] = [];
  const places: { readonly bytes: Uint8Array; readonly number: number }[] = [];
  /** By the lower bits of the hash: one more than the index of a place; 0: none. */
  let slots = new Int32Array(64);
  const free = (hash: number) => {
    let slot = hash & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    return slot;
  };
  const hashes: number[] = [];
  const add = (bytes: Buffer, start: number, end: number, hash: number) => {
    const text = bytes.toString('latin1', start, end);
    const number = isName(text) ? names.push(text) - 1 : -1;
    // No large input is kept for it.
    places.push({ bytes: new TextEncoder().encode(text), number });
    hashes.push(hash);
    if (places.length * 2 > slots.length) {
      slots = new Int32Array(slots.length * 2);
      for (const [at, known] of hashes.entries()) slots[free(known)] = at + 1;
    } else {
      slots[free(hash)] = places.length;
    }
    return number;
  };
  return {
    names,
    of: (bytes, start, end, hash) => {
      for (let slot = hash & (slots.length - 1); slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1)) {
        const at = (slots[slot] as number) - 1;
        const place = places[at] as (typeof places)[number];
        if (hashes[at] === hash && isSame(place.bytes, bytes, start, end)) return place.number;
      }
      return add(bytes, start, end, hash);
    },
  };
}

function isSame(known: Uint8Array, bytes: Buffer, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let at = 0; at < known.length; at += 1) if (known[at] !== bytes[start + at]) return false;
  return true;
}
