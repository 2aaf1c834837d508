import { isUtf8 } from 'node:buffer';

/** The text of bytes, without BOM; `badAt` is the place (UTF-16 units) of the first byte that is not text. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: 'UTF-8' | 'UTF-16';
  readonly badAt?: number;
}

/**
 * Decodes UTF-8 with or without BOM, and UTF-16 with one: `kubectl get -o yaml > file` in PowerShell 5 writes that.
 * Bytes that are not text become U+FFFD, and `badAt` shows them.
 */
export function decodeFile(bytes: Buffer): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, 'utf-16be');
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const text = bytes.toString('utf8', start);
  if (isUtf8(bytes)) return { text, encoding: 'UTF-8' };
  return { text, encoding: 'UTF-8', badAt: bytes.toString('utf8', start, firstBadByte(bytes)).length };
}

function decodeUtf16(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): DecodedText {
  const text = new TextDecoder(encoding).decode(bytes);
  if (bytes.length % 2 === 1) return { text, encoding: 'UTF-16', badAt: Math.max(text.length - 1, 0) };
  // A lone surrogate is decoded to U+FFFD; one that was written as such does not matter here.
  const badAt = text.indexOf('\ufffd');
  return badAt === -1 ? { text, encoding: 'UTF-16' } : { text, encoding: 'UTF-16', badAt };
}

/** Halves the range whose start is known to be good: isUtf8 is fast, a loop over the bytes is not. */
function firstBadByte(bytes: Buffer): number {
  let good = 0;
  let end = bytes.length;
  while (end - good > 8) {
    const middle = characterStart(bytes, good + ((end - good) >> 1), good);
    if (middle === good) break;
    if (isUtf8(bytes.subarray(good, middle))) good = middle;
    else end = middle;
  }
  while (good < end) {
    const length = [1, 2, 3, 4].find(
      (size) => isUtf8(bytes.subarray(good, good + size)) && good + size <= bytes.length,
    );
    if (length === undefined) return good;
    good += length;
  }
  return good;
}

/** The last place at or before `at` where a character can start; `floor` where there is none near. */
function characterStart(bytes: Buffer, at: number, floor: number): number {
  for (let back = 0; back < 4 && at - back > floor; back += 1) {
    if (((bytes[at - back] as number) & 0xc0) !== 0x80) return at - back;
  }
  return at;
}
