/** A part of an object as it was read, before anything is checked. */
export type Tree = Readonly<Record<string, unknown>>;

/** The ports of a Service's spec or of a subset of Endpoints. */
export function portsOf(tree: Tree | undefined): readonly Tree[] {
  return Array.isArray(tree?.ports) ? (tree.ports as readonly Tree[]) : [];
}
