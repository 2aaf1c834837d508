import type { Report } from '../../diagnostics/diagnostic.ts';
import { findJsonError } from './findJsonError.ts';
import { jsonValues } from './jsonIndex.ts';

/** One document of a file as plain JSON values. */
export interface ReadDocument {
  readonly document: number;
  readonly value: unknown;
}

/** Whether a text is read as JSON first: `.json` files, and texts that begin like JSON. */
export function looksLikeJson(file: string, text: string): boolean {
  return file.endsWith('.json') || /^[ \t\r\n]*[[{]/.test(text);
}

/** The values of a JSON text, one after the other as kubectl takes them; undefined where it is not JSON. */
export function readJson(text: string): ReadDocument[] | undefined {
  const whole = parse(text);
  if (whole !== undefined) return [{ document: 0, value: whole.value }];
  const values = jsonValues(text);
  if (values.length < 2) return undefined;
  const documents: ReadDocument[] = [];
  for (const [document, { start, end }] of values.entries()) {
    const parsed = parse(text.slice(start, end));
    if (parsed === undefined) return undefined;
    documents.push({ document, value: parsed.value });
  }
  return documents;
}

/** Reports the place where a text stops being JSON. */
export function reportJsonError(file: string, text: string, report: Report): void {
  const { offset, end, message } = findJsonError(text) ?? { offset: 0, message: 'this is not JSON' };
  const places = end === undefined || end === offset ? [offset] : [offset, end];
  const at = places.map((place) => ({ file, document: 0, path: [], offset: place }));
  report({ code: 'json-syntax', severity: 'error', message, at });
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
