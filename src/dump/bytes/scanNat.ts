import { chainPrefixes } from '../../netfilter/proxyChains.ts';
import { word } from './word.ts';

/** What is met in the only nat table of an iptables-save text; places are those of bytes. */
export interface NatVisitor {
  /** A line that declares a chain of a Service. `isPlain`: without policy and counters, like nearly all. */
  readonly declaration: (at: number, nameLength: number, isPlain: boolean) => void;
  /**
   * A rule of such a chain; returns the place where reading continues, at the start of a line. Undefined: reading
   * stops.
   */
  readonly rule: (at: number, nameLength: number) => number | undefined;
}

/**
 * Goes through the lines of the nat table that begin with the name of a Service's chain. False: the text has no such
 * table, several, or rules with counters, or the visitor stopped.
 */
export function scanNat(bytes: Uint8Array, view: DataView, visitor: NatVisitor): boolean {
  // The bytes that are read ahead of a line's start always exist.
  const last = bytes.length - longestStart;
  let tables = 0;
  let isNat = false;
  for (let at = 0; at < bytes.length; ) {
    const code = bytes[at];
    if (isNat && at < last && (code === colon || (code === dash && view.getInt32(at) === appendK))) {
      const name = code === colon ? at + 1 : at + 3;
      const length = serviceName(bytes, view, name);
      if (length > 0 && code === dash) {
        // Without a blank after the name it is unclear where the rule begins.
        if (bytes[name + length] !== blank) return false;
        const next = visitor.rule(at, length);
        if (next === undefined) return false;
        at = next;
        continue;
      }
      if (length > 0) {
        const isPlain = name + length < last && endsPlainly(view, name + length);
        visitor.declaration(at, length, isPlain);
        if (isPlain) {
          at = name + length + plainEnd;
          continue;
        }
      }
    } else if (code === star) {
      isNat = at < last && view.getInt32(at) === nat && bytes[at + 4] === lineBreak;
      if (isNat) tables += 1;
    } else if (code === commit) {
      isNat = false;
    } else if (isNat && code === counters) {
      return false;
    }
    const end = bytes.indexOf(lineBreak, at);
    at = end === -1 ? bytes.length : end + 1;
  }
  return tables === 1;
}

const longestStart = 16;

const lineBreak = 0x0a;
const blank = 0x20;
const star = 0x2a;
const dash = 0x2d;
const colon = 0x3a;
const commit = 0x43;
const counters = 0x5b;

/** The letters after `KUBE` that distinguish chains of Services. */
function kindOf(prefix: string): number {
  return word(prefix.slice(4, 8));
}

const nat = word('*nat');
const appendK = word('-A K');
const kube = word('KUBE');
const kinds: ReadonlySet<number> = new Set(Object.values(chainPrefixes).map(kindOf));
const firewall = kindOf(chainPrefixes.firewall);

/**
 * The length of the name of a Service's chain at a place, up to a character that such a name cannot contain; 0: no such
 * name.
 */
function serviceName(bytes: Uint8Array, view: DataView, at: number): number {
  if (view.getInt32(at) !== kube) return 0;
  const kind = view.getInt32(at + 4);
  if (!kinds.has(kind) || (kind !== firewall && bytes[at + 8] !== dash)) return 0;
  let end = at + 8;
  while (ofNames[bytes[end] as number] === 1) end += 1;
  return end - at;
}

/** Letters, digits, `-` and `_`. */
const ofNames = Uint8Array.from({ length: 256 }, (_, code) => (/[\w-]/.test(String.fromCharCode(code)) ? 1 : 0));

const endWords = [word(' - ['), word('0:0]')] as const;
/** Bytes of ` - [0:0]` and the line break. */
const plainEnd = 9;

function endsPlainly(view: DataView, at: number): boolean {
  return (
    view.getInt32(at) === endWords[0] && view.getInt32(at + 4) === endWords[1] && view.getUint8(at + 8) === lineBreak
  );
}
