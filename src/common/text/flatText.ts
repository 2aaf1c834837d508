/**
 * The same text in one piece. The engine keeps a concatenated text as a tree until somebody asks for a character;
 * garbage collection copies every part of that tree for as long as the text lives.
 */
export function flatText(text: string): string {
  // The result is used because the engine drops a call whose result changes nothing.
  return text.charCodeAt(0) === 0 ? text.slice(0) : text;
}
