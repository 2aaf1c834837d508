import { escapeJson } from './escapeText.ts';

/** A small value as `jsonText` writes it, in one piece. */
export function jsonString(value: object): string {
  return `${escapeJson(JSON.stringify(value, null, 2))}\n`;
}
