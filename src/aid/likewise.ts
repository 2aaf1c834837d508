import { addTo } from '../common/addTo.ts';
import { firstFew } from '../common/text/firstFew.ts';

/** The node that a sentence is about. Sentences with the same `like` differ only in names and addresses of their nodes. */
export interface SaidOf {
  readonly node: string;
  readonly like: string;
}

/** The first of several sentences that are alike, and the nodes that the others are about. */
export interface Likewise<T> {
  readonly one: T;
  readonly others: readonly string[];
}

/** In order, each group where its first sentence is. `isAlone`: groups whose sentences stay apart; so do those about no node. */
export function likewise<T extends { readonly of?: SaidOf }>(
  list: readonly T[],
  isAlone: (alike: readonly T[]) => boolean = () => false,
): readonly Likewise<T>[] {
  const groups = new Map<string, T[]>();
  for (const one of list) if (one.of !== undefined) addTo(groups, one.of.like, one);
  return list.flatMap((one) => {
    const group = (one.of && groups.get(one.of.like)) ?? [one];
    if (isAlone(group)) return [{ one, others: [] }];
    if (group[0] !== one) return [];
    const others = new Set(group.flatMap(({ of }) => (of === undefined || of.node === one.of?.node ? [] : of.node)));
    return [{ one, others: [...others] }];
  });
}

/** `likewise: n2, n3 and 4 more`; undefined: there are no others. */
export function likewiseText(others: readonly string[]): string | undefined {
  return others.length === 0 ? undefined : `likewise: ${firstFew(others, 6)}`;
}
