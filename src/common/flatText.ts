/**
 * The same text in one piece. The engine keeps what was put together as a tree until a character is asked for; a text that lives
 * on is copied with every part of its tree whenever memory is tidied.
 */
export function flatText(text: string): string {
  // The engine leaves out a question whose answer changes nothing.
  return text.charCodeAt(0) === 0 ? text.slice(0) : text;
}
