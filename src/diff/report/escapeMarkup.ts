import { escapeText } from '../../common/escapeText.ts';

/**
 * Text for XML and HTML, in content and in quoted attributes. Characters that XML forbids, and those that hide or
 * reorder text, become visible escapes first; line ends of our own text stay.
 */
export function escapeMarkup(text: string): string {
  return text
    .split('\n')
    .map(escapeText)
    .join('\n')
    .replace(/[&<>"']/g, (character) => entities[character] as string);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
