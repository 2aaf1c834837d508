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
  const keys = new Map<T, string>();
  const told = new Map<string, number>();
  for (const one of list) {
    if (one.of === undefined) continue;
    const { node, like } = one.of;
    // Two sentences about one node are about two things: the first belongs to the first of each other node.
    const time = (told.get(`${node} ${like}`) ?? 0) + 1;
    told.set(`${node} ${like}`, time);
    keys.set(one, `${time} ${like}`);
    addTo(groups, `${time} ${like}`, one);
  }
  return list.flatMap((one) => {
    const group = groups.get(keys.get(one) ?? '') ?? [one];
    if (isAlone(group)) return [{ one, others: [] }];
    const [first, ...rest] = group;
    return first === one ? [{ one, others: rest.flatMap(({ of }) => of?.node ?? []) }] : [];
  });
}

/** `likewise: n2, n3 and 4 more`; undefined: there are no others. */
export function likewiseText(others: readonly string[]): string | undefined {
  return others.length === 0 ? undefined : `likewise: ${firstFew(others, 6)}`;
}
