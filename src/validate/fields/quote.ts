/** A value in a message: text in quotes and cut to a readable length, so that hostile input stays one short line. */
export function quote(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  if (typeof value === 'number') return printNumber(value);
  if (value === null || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : 'a mapping';
}

function shorten(text: string): string {
  if (text.length <= longest) return text;
  const isSplitPair = /[\ud800-\udbff]/.test(text.charAt(longest - 1));
  return `${text.slice(0, isSplitPair ? longest - 1 : longest)}…`;
}

const longest = 80;

/** All digits of whole numbers: 92233720368547758080, not 9.22e19. */
function printNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e30 ? BigInt(value).toString() : String(value);
}
