/** A mapping of an object as it was read: nothing of it is checked yet. */
export type Tree = Readonly<Record<string, unknown>>;

/** Empty where something else stands. */
export function treeOf(value: unknown): Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : {};
}

/** The mappings of a list; empty where something else stands. */
export function treesOf(value: unknown): readonly Tree[] {
  return Array.isArray(value) ? value.map(treeOf) : [];
}
