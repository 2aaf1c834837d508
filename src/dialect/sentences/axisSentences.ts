import type { ProxyMode } from '../../common/proxy/proxyMode.ts';

/** What the values of each axis mean, for readers of version information. */
export type SentencesOf<T> = { readonly [A in keyof T]-?: AxisSentences<T[A]> };

export interface AxisSentences<V> {
  /** It changes what happens to packets or on the node; otherwise it only changes how rules are written. */
  readonly isBehaviour: boolean;
  /** Modes in which the axis shows. Default: all that have it. */
  readonly modes?: readonly ProxyMode[];
  readonly says: Says<V>;
}

/** A sentence for each value, or a function that says what came and went. */
type Says<V> = [V] extends [boolean]
  ? { readonly true: string; readonly false: string }
  : [V] extends [string]
    ? Readonly<Record<V, string>>
    : (after: V, before: V) => string;

/** Of lists: `New sets: A, B. Gone: C.`; the same words in another order are said to be so. */
export function listSentence(what: string, after: readonly string[], before: readonly string[]): string {
  const added = after.filter((one) => !before.includes(one));
  const gone = before.filter((one) => !after.includes(one));
  if (added.length + gone.length === 0) return `The order of ${what} changes.`;
  const parts = [
    ...(added.length > 0 ? [`New ${what}: ${added.join(', ')}.`] : []),
    ...(gone.length > 0 ? [`${added.length > 0 ? 'Gone' : `Gone from the ${what}`}: ${gone.join(', ')}.`] : []),
  ];
  return parts.join(' ');
}
