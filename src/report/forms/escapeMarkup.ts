import { escapeText } from '../../common/text/escapeText.ts';

/**
 * Text for XML and HTML, in content and in quoted attributes. Line ends, characters that XML forbids, and those that
 * hide or reorder text become visible escapes first: a log that shows the raw file must not contain a line from the
 * input.
 */
export function escapeMarkup(text: string): string {
  return escapeText(text).replace(/[&<>"']/g, (character) => entities[character] as string);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
