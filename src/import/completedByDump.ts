import type { SeenService, SeenServices } from '../model/seenServices.ts';
import { hiddenFacts } from './hiddenFacts.ts';
import { namedEndpoints } from './namedEndpoints.ts';
import { namespacedByDump } from './namespacedByDump.ts';
import { portsOf, type Tree } from './shownTree.ts';

/** An object as it was read; `detail`: from what kubectl shows to people, which hides much. */
interface ReadObject {
  readonly kind: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly detail?: number;
}

export interface Completed<T> {
  readonly objects: readonly T[];
  /** Services with names of ports that were made up, as `namespace/name`. */
  readonly named: readonly string[];
}

/**
 * Gives Services and Endpoints that kubectl shows what it hides, where the rules of a dump show it: names of ports, and of a
 * line of a table session affinity, traffic policies and source ranges too. A name that several ports need and no rule
 * tells is made up, and says so. Without a dump (`undefined`) Endpoints whose ports cannot be told apart stay as they are.
 */
export function completedByDump<T extends ReadObject>(
  objects: readonly T[],
  seen: () => SeenServices | undefined,
): Completed<T> {
  if (!objects.some(isShown)) return { objects, named: [] };
  const services = seen();
  const named: string[] = [];
  const portsByService = new Map<string, readonly Tree[]>();
  const inNamespaces = services === undefined ? objects : namespacedByDump(objects, services);
  const withServices = inNamespaces.map((object) => {
    if (object.kind !== 'Service') return object;
    const id = idOf(object);
    const value = object.detail === undefined ? object.value : completedService(object, services?.get(id));
    const ports = portsOf(value.spec as Tree | undefined);
    portsByService.set(id, ports);
    if (ports.some(({ name }) => isMadeUp(name))) named.push(id);
    return value === object.value ? object : { ...object, value };
  });
  const completed = withServices.map((object) => {
    if (object.kind !== 'Endpoints' || object.detail === undefined) return object;
    const id = idOf(object);
    const value = namedEndpoints(object.value, portsByService.get(id) ?? [], services?.get(id));
    if (value !== undefined) return { ...object, value };
    // Which port is which is not known: what the dump shows is taken.
    return services === undefined ? object : { ...object, value: withAnyNames(object.value), detail: 0 };
  });
  return { objects: completed, named };
}

function isShown({ kind, detail }: ReadObject): boolean {
  return detail !== undefined && (kind === 'Service' || kind === 'Endpoints');
}

function idOf({ value }: ReadObject): string {
  const { namespace, name } = (value.metadata ?? {}) as Tree;
  return `${typeof namespace === 'string' ? namespace : 'default'}/${String(name)}`;
}

function completedService({ value, detail }: ReadObject, own: SeenService | undefined): Tree {
  const spec = (value.spec ?? {}) as Tree;
  const shown = portsOf(spec);
  if (shown.length === 0 || spec.clusterIP === 'None') return { ...value, spec: nameAll(spec, shown, undefined) };
  const facts = detail === 1 && own !== undefined ? hiddenFacts(own, spec) : {};
  return { ...value, spec: { ...facts, ...nameAll(spec, shown, own) } };
}

/** A table shows no names, a description each that there is. */
function nameAll(spec: Tree, shown: readonly Tree[], own: SeenService | undefined): Tree {
  if (shown.length === 0 || shown.some(({ name }) => name !== undefined)) return spec;
  const ports = shown.map((port) => {
    const protocol = String(port.protocol ?? 'TCP');
    const told = own?.portNames.get(`${protocol} ${String(port.port)}`);
    const name = told || (shown.length > 1 ? `${madeUp}${protocol.toLowerCase()}-${String(port.port)}` : undefined);
    return name === undefined ? port : { name, ...port };
  });
  return { ...spec, ports };
}

/** What is not the name of a port shall not look like one. */
const madeUp = 'name-unknown-';

function isMadeUp(name: unknown): boolean {
  return typeof name === 'string' && name.startsWith(madeUp);
}

function withAnyNames(value: Tree): Tree {
  const subsets = (value.subsets as readonly Tree[]).map((subset) => ({
    ...subset,
    ports: portsOf(subset).map((port, index) => ({ ...port, name: `${madeUp}${index + 1}` })),
  }));
  return { ...value, subsets };
}
