import { type JsonChild, jsonChildren, jsonValues } from '../../load/json/jsonIndex.ts';
import type { EndpointSliceObject } from '../../validate/kinds/manifests.ts';

export type SliceEndpointObject = NonNullable<EndpointSliceObject['endpoints']>[number];

/**
 * The text of an endpoint, cut where endpoints of one cluster differ. Between the cuts stand its keys, their order, blanks, conditions and
 * hints: other endpoints with the same text there differ in these values alone.
 */
export interface EndpointShape {
  /** As it was read; its values at the cuts are those of one endpoint. */
  readonly sample: SliceEndpointObject;
  readonly cuts: readonly ShapeCut[];
  /** Behind the last cut. */
  readonly end: ShapeText;
}

/** A text in quotes, and what stands between the cut before and its first character, opening quote included. */
export interface ShapeCut {
  readonly before: ShapeText;
  readonly value: CutValue;
}

/** What must be true of it: `free` is any text. */
export type CutValue = 'address' | 'nodeName' | 'hostname' | 'free';

/** ASCII as bytes, and four of them at a time (little-endian), as far as four are left. */
export interface ShapeText {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
}

/**
 * The shape of the endpoint that begins where these bytes do. Undefined: it is not JSON, longer than usual, or has
 * anything unusual: several addresses, a key twice, a character beyond ASCII.
 */
export function shapeOf(bytes: Buffer): EndpointShape | undefined {
  const all = bytes.toString('latin1', 0, longestEndpoint);
  const end = jsonValues(all)[0]?.end ?? 0;
  const text = all.slice(0, end);
  const sample = isAscii.test(text) ? parse(text) : undefined;
  if (sample === undefined) return undefined;
  const children = jsonChildren(text, 0);
  if (new Set(children.map(({ key }) => key)).size < children.length) return undefined;
  const places = children.flatMap((child) => placesIn(text, child));
  if (!places.some(({ value }) => value === 'address')) return undefined;
  let from = 0;
  const cuts: ShapeCut[] = [];
  for (const { start: quote, end: behind, value } of places) {
    cuts.push({ before: shapeText(text.slice(from, quote + 1)), value });
    from = behind - 1;
  }
  return { sample, cuts, end: shapeText(text.slice(from)) };
}

/** Bytes beyond ASCII are other characters in Latin-1. */
const isAscii = /^[\x20-\x7e\t\n\r]*$/;

/** Those of the API server have less than 600 characters. */
const longestEndpoint = 4096;

function parse(text: string): SliceEndpointObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as SliceEndpointObject) : undefined;
  } catch {
    return undefined;
  }
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly value: CutValue;
}

/** Texts to be cut out of one field of an endpoint. */
function placesIn(text: string, field: JsonChild): readonly Place[] {
  const place = ({ start, end }: JsonChild, value: CutValue): readonly Place[] =>
    text[start] === '"' && end > start + 2 ? [{ start, end, value }] : [];
  switch (field.key) {
    case 'addresses': {
      const addresses = text[field.start] === '[' ? jsonChildren(text, field.start) : [];
      return addresses.length === 1 ? place(addresses[0] as JsonChild, 'address') : [];
    }
    case 'nodeName':
    case 'hostname':
      return place(field, field.key);
    case 'zone':
      return place(field, 'free');
    case 'targetRef':
      return jsonChildren(text, field.start)
        .filter(({ key }) => freeOfTarget.has(key))
        .flatMap((child) => place(child, 'free'));
    default:
      return [];
  }
}

const freeOfTarget: ReadonlySet<string | number> = new Set(['name', 'namespace', 'resourceVersion', 'uid']);

function shapeText(text: string): ShapeText {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const words = new Int32Array(bytes.length >> 2);
  for (let at = 0; at < words.length; at += 1) words[at] = view.getInt32(4 * at, true);
  return { bytes, words };
}
