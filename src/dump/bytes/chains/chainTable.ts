import { areSameBytes } from '../areSameBytes.ts';

/** How many numbers are kept for a chain: as many as one memory access brings. */
export const rowLength = 8;

/**
 * Chains of one text by their names, which stay bytes: making a hundred thousand strings would take longer than reading
 * them. All facts about a chain are adjacent, since cache misses take longer than everything else.
 */
export interface ChainTable extends ChainRows {
  readonly count: () => number;
  /** Bytes of a chain's name. */
  readonly lengthOf: (chain: number) => number;
  /** The chain whose name is at a place in some bytes; -1: there is none. */
  readonly find: (bytes: DataView, at: number, length: number) => number;
  /** The same, but a missing chain is made. The bytes are those of the table's text. */
  readonly add: (at: number, length: number) => number;
  /** The chain's name also occurs at another place of the text; later comparisons use that place. */
  readonly move: (chain: number, at: number) => void;
  /** Whether the chain has exactly this name there; faster than a search. */
  readonly isNamed: (chain: number, bytes: DataView, at: number, length: number) => boolean;
  /** There are more names than room, or somebody chose them to make searches long. */
  readonly isOverfull: () => boolean;
  /** What another thread needs to make the same table. */
  readonly numbers: () => ChainNumbers;
}

export interface ChainRows {
  /** `rowLength` numbers for each chain: first the place and the length of its name, then what its owner puts there. */
  readonly rows: Int32Array;
}

/** A table as plain numbers. */
export interface ChainNumbers extends ChainRows {
  /** For each name the chain's number + 1, or 0, at a place that its bytes determine. */
  readonly slots: Int32Array;
  readonly count: number;
}

export function roomForChains(mostChains: number): ChainNumbers {
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(1.5 * mostChains + 16)));
  return { rows: new Int32Array(rowLength * mostChains), slots, count: 0 };
}

export function chainTable(text: Uint8Array, { rows, slots, count: known }: ChainNumbers): ChainTable {
  const mostChains = rows.length / rowLength;
  const view = new DataView(text.buffer, text.byteOffset, text.byteLength);
  let count = known;
  let steps = 0;
  let lookups = 0;
  const isNamed = (chain: number, bytes: DataView, at: number, length: number) => {
    if (chain < 0 || chain >= count || rows[rowLength * chain + 1] !== length) return false;
    return areSameBytes(view, rows[rowLength * chain] as number, bytes, at, length);
  };
  const slotOf = (bytes: DataView, at: number, length: number) => {
    let slot = hashOf(bytes, at, length) & (slots.length - 1);
    lookups += 1;
    while (slots[slot] !== 0 && !isNamed((slots[slot] as number) - 1, bytes, at, length)) {
      slot = (slot + 1) & (slots.length - 1);
      steps += 1;
      if (steps > mostSteps * (lookups + slots.length)) return slot;
    }
    return slot;
  };
  const isOverfull = () => count >= mostChains || steps > mostSteps * (lookups + slots.length);
  return {
    rows,
    count: () => count,
    lengthOf: (chain) => rows[rowLength * chain + 1] as number,
    move: (chain, at) => {
      rows[rowLength * chain] = at;
    },
    isNamed,
    isOverfull,
    numbers: () => ({ rows, slots, count }),
    find: (bytes, at, length) => (slots[slotOf(bytes, at, length)] as number) - 1,
    add: (at, length) => {
      const slot = slotOf(view, at, length);
      if (slots[slot] !== 0 || isOverfull()) return (slots[slot] as number) - 1;
      rows[rowLength * count] = at;
      rows[rowLength * count + 1] = length;
      count += 1;
      slots[slot] = count;
      return count - 1;
    },
  };
}

/** Names that somebody chose for their hashes must not cost quadratic time. */
const mostSteps = 8;

function hashOf(bytes: DataView, at: number, length: number): number {
  let hash = length;
  let place = at;
  for (; place + 4 <= at + length; place += 4) hash = mixed(hash ^ bytes.getInt32(place));
  for (; place < at + length; place += 1) hash = mixed(hash ^ bytes.getUint8(place));
  return hash;
}

function mixed(hash: number): number {
  const own = Math.imul(hash, 0x5bd1e995);
  return own ^ (own >>> 15);
}
