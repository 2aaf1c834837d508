import type { AskedOfKubectl } from './askedOfKubectl.ts';
import type { Tree } from './described/tree.ts';

/** The object of which `kubectl get KIND NAME -o jsonpath=…` printed one field; undefined: it was not asked for one. */
export function answeredValue(asked: AskedOfKubectl, text: string): Tree | undefined {
  const { kind, name, namespace, path } = asked;
  if (kind === undefined || name === undefined || path === undefined || text === '' || /\s/.test(text))
    return undefined;
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  const value = withField({ apiVersion: 'v1', kind, metadata }, path, text);
  return value === undefined ? undefined : (value as Tree);
}

/** Of a list the first item alone: an item further on would leave holes. */
function withField(tree: unknown, path: readonly (string | number)[], text: string): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return /^\d+$/.test(text) ? Number(text) : text;
  if (typeof step === 'number') {
    const item = step === 0 ? withField({}, rest, text) : undefined;
    return item === undefined ? undefined : [item];
  }
  const inner = withField((tree as Tree)[step] ?? {}, rest, text);
  if (inner === undefined) return undefined;
  // A Node's address without its type would be of no use: kubelet lists that of the cluster first.
  const typed =
    step === 'addresses' && Array.isArray(inner) ? inner.map((one: Tree) => ({ type: 'InternalIP', ...one })) : inner;
  return { ...(tree as Tree), [step]: typed };
}

/** Two fields of one object as one. */
export function mergedTrees(one: unknown, other: unknown): unknown {
  if (!isTree(one) || !isTree(other)) return other;
  const merged: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) merged[key] = key in one ? mergedTrees(one[key], value) : value;
  return merged;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
