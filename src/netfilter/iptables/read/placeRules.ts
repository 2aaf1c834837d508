import type { Rule } from '../ast.ts';

export interface PlacedRule {
  readonly rule: Rule;
  /** 1-based place in its chain at which the rule was inserted; undefined: behind all others. */
  readonly position?: number;
}

/**
 * The order that appending and inserting rules one after another leads to; chains stay interleaved as they were first
 * written. Worked out from the last command back: it stands where it says, each earlier one takes the free place of its
 * number. With a tree of free places that is n log n, where really inserting would be quadratic.
 */
export function placeRules(placed: readonly PlacedRule[]): readonly Rule[] {
  const byChain = new Map<string, PlacedRule[]>();
  for (const one of placed) {
    const chain = byChain.get(one.rule.chain);
    if (chain) {
      chain.push(one);
    } else {
      byChain.set(one.rule.chain, [one]);
    }
  }
  const ordered = new Map([...byChain].map(([chain, rules]) => [chain, orderOfChain(rules)[Symbol.iterator]()]));
  return placed.map(({ rule }) => ordered.get(rule.chain)?.next().value ?? rule);
}

function orderOfChain(placed: readonly PlacedRule[]): readonly Rule[] {
  const free = freePlaces(placed.length);
  const order: Rule[] = new Array(placed.length);
  for (let at = placed.length - 1; at >= 0; at -= 1) {
    const { rule, position = at + 1 } = placed[at] as PlacedRule;
    // When this command ran there were `at` rules: a place behind them is the end.
    order[takePlace(free, Math.min(position, at + 1))] = rule;
  }
  return order;
}

/** A Fenwick tree of counts, every place free. */
function freePlaces(size: number): Int32Array {
  const tree = new Int32Array(size + 1);
  for (let at = 1; at <= size; at += 1) {
    tree[at] = at & -at;
  }
  return tree;
}

/** Takes the free place number `number` (from 1) and says which it is (from 0). */
function takePlace(tree: Int32Array, number: number): number {
  let at = 0;
  let left = number;
  for (let step = 1 << (31 - Math.clz32(tree.length)); step > 0; step >>= 1) {
    const next = at + step;
    if (next < tree.length && (tree[next] ?? 0) < left) {
      at = next;
      left -= tree[next] ?? 0;
    }
  }
  for (let next = at + 1; next < tree.length; next += next & -next) {
    tree[next] = (tree[next] ?? 0) - 1;
  }
  return at;
}
