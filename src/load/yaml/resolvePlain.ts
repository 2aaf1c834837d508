/**
 * What an unquoted YAML scalar means to Kubernetes: the rules of go-yaml v2, which sigs.k8s.io/yaml uses. They are
 * nearly YAML 1.1 (`on` is true, `0120` is 80) without sexagesimal numbers (`12:30` is text), timestamps stay text, and
 * Go's `0o17` counts. Infinities and NaN come back as such: JSON has none, the caller refuses them.
 */
export function resolvePlain(text: string): string | number | boolean | null {
  if (!mayBeMore.test(text)) return text;
  const word = words.get(text);
  if (word !== undefined) return word;
  return numberOf(text) ?? text;
}

/** First letters of everything that is not plain text. */
const mayBeMore = /^(?:[-+.0-9~yYnNtTfFoO]|$)/;

const words: ReadonlyMap<string, boolean | number | null> = new Map<string, boolean | number | null>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);

function numberOf(text: string): number | undefined {
  if (text.startsWith('.')) return pointFirst.test(text) ? finite(Number(text.replaceAll('_', ''))) : undefined;
  // Long digit strings are text as often as numbers: no number of more digits is worth its cost.
  if (text.length > 400) return undefined;
  const plain = text.replaceAll('_', '');
  return integerOf(plain) ?? (float.test(plain) ? finite(Number(plain)) : undefined);
}

/** Go reads this form by itself, with underscores between digits only. */
const pointFirst = /^\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;

function integerOf(text: string): number | undefined {
  const match = integer.exec(text);
  if (match === null) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  const size =
    hex !== undefined
      ? Number.parseInt(hex, 16)
      : binary !== undefined
        ? Number.parseInt(binary, 2)
        : octal !== undefined
          ? Number.parseInt(octal, 8)
          : Number(decimal);
  // Go reads what fits 64 bits, signed or unsigned; the rest is a float if it looks like one.
  if (size > (sign === '-' ? 2 ** 63 : 2 ** 64)) return undefined;
  return sign === '-' && size > 0 ? -size : size;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value + 0 : undefined;
}
