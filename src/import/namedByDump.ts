import type { SeenService, SeenServices } from '../model/seenServices.ts';

/** An object as it was read; `detail`: from what kubectl shows to people, which hides names. */
interface ReadObject {
  readonly kind: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly detail?: number;
}

/**
 * Gives ports the names that a table of kubectl hides, where the rules of a dump show them: of a Service with several ports
 * by address and number, of its Endpoints by the number that the rules lead to. A Service of which one name is missing is
 * left as it is. `seen` is asked only if there is such a Service.
 */
export function namedByDump<T extends ReadObject>(objects: readonly T[], seen: () => SeenServices): readonly T[] {
  if (!objects.some(isNameless)) return objects;
  const services = seen();
  return objects.map((object) => {
    const own = object.detail === undefined ? undefined : services.get(idOf(object));
    if (own === undefined || own.portNames.size < 2) return object;
    if (object.kind === 'Service' && isNameless(object)) return { ...object, value: namedService(object.value, own) };
    return object.kind === 'Endpoints' ? { ...object, value: namedEndpoints(object.value, own) } : object;
  });
}

type Tree = Readonly<Record<string, unknown>>;

function isNameless({ kind, value, detail }: ReadObject): boolean {
  if (kind !== 'Service' || detail === undefined) return false;
  const ports = portsOf(value.spec as Tree | undefined);
  return ports.length > 1 && ports.every(({ name }) => name === undefined);
}

function idOf({ value }: ReadObject): string {
  const { namespace, name } = (value.metadata ?? {}) as Tree;
  return `${typeof namespace === 'string' ? namespace : 'default'}/${String(name)}`;
}

function portsOf(tree: Tree | undefined): readonly Tree[] {
  return Array.isArray(tree?.ports) ? (tree.ports as readonly Tree[]) : [];
}

function namedService(value: Tree, { portNames }: SeenService): Tree {
  const spec = value.spec as Tree;
  const ports = portsOf(spec).map((port) => ({
    name: portNames.get(`${String(port.protocol ?? 'TCP')} ${String(port.port)}`),
    ...port,
  }));
  return ports.some(({ name }) => !name) ? value : { ...value, spec: { ...spec, ports } };
}

/** Kubectl shows an address with each of its ports, and nothing of their protocols. */
function namedEndpoints(value: Tree, service: SeenService): Tree {
  const byNumber = new Map<string, Map<string, Tree>>();
  for (const [key, endpoints] of service.endpoints) {
    const [, protocol, name = ''] = key.split(' ');
    for (const { port } of endpoints) {
      const known = byNumber.get(String(port)) ?? new Map<string, Tree>();
      byNumber.set(String(port), known.set(`${protocol} ${name}`, { name, protocol }));
    }
  }
  const subsets = Array.isArray(value.subsets) ? (value.subsets as readonly Tree[]) : [];
  const named = subsets.map((subset) => {
    const left = new Map([...byNumber].map(([number, names]) => [number, [...names.values()]]));
    const ports = portsOf(subset).map((port) => ({ ...port, ...left.get(String(port.port))?.shift() }) as Tree);
    const isKnown = ports.every(({ name }) => name) && isUsedUp(portsOf(subset), left);
    return isKnown ? { ...subset, ports } : undefined;
  });
  return named.includes(undefined) ? value : { ...value, subsets: named };
}

/** Every name of a number that the table shows has found its port: else which of them is meant is not known. */
function isUsedUp(ports: readonly Tree[], left: ReadonlyMap<string, readonly Tree[]>): boolean {
  return ports.every(({ port }) => (left.get(String(port)) ?? []).length === 0);
}
