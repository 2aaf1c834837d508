import type { TextOf } from '../../load/json/itemsAhead.ts';
import type { EndpointSliceObject } from '../../validate/kinds/manifests.ts';
import type { EndpointColumn, EndpointReader } from './endpointReader.ts';

/**
 * Reads one JSON object that has `endpoints` and gives the rest of it, with the text `endpointsMark` in their place. The
 * endpoints are added to the columns. Undefined: the text is not one object, or not surely what it seems to be; some
 * endpoints may have been added all the same.
 */
export function readSlice(
  bytes: Buffer,
  textOf: TextOf,
  endpoints: EndpointReader,
  to: EndpointColumn,
): EndpointSliceObject | undefined {
  const start = listStart(bytes);
  if (start === -1) return undefined;
  const { length } = to.addresses;
  const end = readList(bytes, start, endpoints, to);
  return end === -1 || to.addresses.length - length > mostEndpoints
    ? undefined
    : readRest(textOf(bytes.subarray(0, start)), textOf(bytes.subarray(end)));
}

/** Stands for the endpoints that were read. */
const endpointsMark = 'the endpoints of the slice';

/** The API server takes no more. */
const mostEndpoints = 1000;

const key = '"endpoints"';

/** The place of the bracket behind the key; -1: there is none. */
function listStart(bytes: Buffer): number {
  const at = bytes.indexOf(key, 0, 'latin1');
  if (at === -1) return -1;
  const colonAt = skipBlanks(bytes, at + key.length);
  if (bytes[colonAt] !== colon) return -1;
  const start = skipBlanks(bytes, colonAt + 1);
  return bytes[start] === openingBracket ? start : -1;
}

/** The place behind a list of one endpoint or more; -1: it is not one. */
function readList(bytes: Buffer, start: number, endpoints: EndpointReader, to: EndpointColumn): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = start;
  do {
    at = endpoints.read(bytes, view, skipBlanks(bytes, at + 1), to);
    if (at === -1) return -1;
    at = skipBlanks(bytes, at);
  } while (bytes[at] === comma);
  return bytes[at] === closingBracket ? at + 1 : -1;
}

/**
 * The mark is read as a value of the object itself: so the list, which is sound by itself, stood in the place of that
 * value, and no later `endpoints` replaces it. Escaped characters might hide another mark.
 */
function readRest(before: string | undefined, after: string | undefined): EndpointSliceObject | undefined {
  if (before === undefined || after === undefined) return undefined;
  for (const part of [before, after]) if (part.includes('\\') || part.includes(endpointsMark)) return undefined;
  try {
    const value: unknown = JSON.parse(`${before}"${endpointsMark}"${after}`);
    const isOwn = (value as { readonly endpoints?: unknown } | null)?.endpoints === endpointsMark;
    return isOwn ? (value as EndpointSliceObject) : undefined;
  } catch {
    return undefined;
  }
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  for (; at < bytes.length; at += 1) {
    const code = bytes[at];
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}

const colon = 0x3a;
const comma = 0x2c;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
