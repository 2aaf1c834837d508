/**
 * Text between double quotes. nft has no escapes, so a quote or a control character in it cannot be written: it becomes
 * a question mark, and text from an input can never end the string and begin a command.
 */
export function quoted(text: string): string {
  return unsafe.test(text) ? `"${text.replace(allUnsafe, '?')}"` : `"${text}"`;
}

const unsafe = /["\u0000-\u001f\u007f]/;
const allUnsafe = /["\u0000-\u001f\u007f]/g;
