/**
 * A message short enough for a person to read. A message may quote a name or value of several megabytes in front of the
 * reason, so long words lose their middle, and so does a message that is still too long.
 */
export function shortMessage(text: string): string {
  if (text.length <= longest) return text;
  const words = text.replace(longWord, (word) => withoutMiddle(word, wordEnds));
  return words.length <= longest ? words : withoutMiddle(words, longest / 2);
}

const longest = 500;
const wordEnds = 40;
const longWord = new RegExp(`\\S{${2 * wordEnds + 1},}`, 'g');

function withoutMiddle(text: string, end: number): string {
  return `${text.slice(0, end)}…${text.slice(-end)}`;
}
