/** The kernel keeps 128 bytes of an nft comment, its end mark included. */
const most = 127;

/** Names in a comment as far as they fit: `a/x, a/y and 7 more`. */
export function clampComment(names: readonly string[]): string {
  let text = '';
  for (const [index, name] of names.entries()) {
    const rest = names.length - index;
    const joined = text === '' ? name : `${text}, ${name}`;
    const tail = rest > 1 ? ` and ${rest - 1} more` : '';
    if (joined.length + tail.length > most) {
      return text === '' ? `${name.slice(0, most - tail.length - 3)}...${tail}` : `${text} and ${rest} more`;
    }
    text = joined;
  }
  return text;
}
