import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';
import type { PageState } from './pageState.ts';

/** Longer inputs stay out of the address: browsers and programs that pass addresses on cut them. */
const longest = 100_000;

/** The state as the part of an address behind `#`, compressed. An input that is too long for it is left out. */
export function addressOf(state: PageState): { readonly hash: string; readonly hasInput: boolean } {
  const whole = packed(state);
  if (whole.length <= longest) return { hash: whole, hasInput: true };
  const { input: _, ...view } = state;
  return { hash: packed(view), hasInput: false };
}

/** What an address contains; undefined: we did not make it. The sender may have written anything. */
export function stateOf(hash: string, first: PageState): PageState | undefined {
  try {
    const binary = atob(hash.replace(/^#/, '').replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
    if (bytes.length < 3 || bytes.length > longest) return undefined;
    const value: unknown = JSON.parse(strFromU8(inflateSync(bytes, { out: new Uint8Array(longestInput) })));
    return isLike(value, first) ? { ...first, ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** We make no address that unpacks to more. */
const longestInput = 8_000_000;

function packed(value: object): string {
  const bytes = deflateSync(strToU8(JSON.stringify(value)), { level: 9 });
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Each part that is there has the kind of value that the page knows; texts inside may be any. */
function isLike(value: unknown, first: PageState): value is Partial<PageState> {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([key, part]) => {
    if (key === 'input') return isInput(part);
    if (key === 'other') return isTexts(part) || part === undefined;
    if (key === 'cell') return isTexts(part) || part === undefined;
    const known: unknown = first[key as keyof PageState];
    return isObject(known) ? isObject(part) && sameKinds(part, known) : typeof part === typeof known;
  });
}

function sameKinds(part: Readonly<Record<string, unknown>>, known: Readonly<Record<string, unknown>>): boolean {
  const names = new Set([...Object.keys(part), ...Object.keys(known)]);
  return [...names].every((name) => typeof part[name] === typeof known[name]);
}

function isInput(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { manifests, dumps, settings } = value;
  return [manifests, dumps].every((files) => Array.isArray(files) && files.every(isFile)) && isTexts(settings);
}

function isFile(value: unknown): boolean {
  return isObject(value) && typeof value.name === 'string' && typeof value.text === 'string';
}

function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((one) => typeof one === 'string');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
