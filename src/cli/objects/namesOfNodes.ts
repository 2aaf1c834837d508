import type { Loaded } from '../../load/loaded.ts';

/** The names of the Nodes in manifests. */
export function namesOfNodes(objects: Loaded['objects']): ReadonlySet<string> {
  return new Set(
    objects.flatMap(({ kind, value }) => {
      const { name } = (value.metadata ?? {}) as { readonly name?: unknown };
      return kind === 'Node' && typeof name === 'string' ? [name.toLowerCase()] : [];
    }),
  );
}
