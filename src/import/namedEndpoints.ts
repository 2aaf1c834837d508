import type { SeenService } from '../model/seenServices.ts';
import { portsOf, type Tree } from './shownTree.ts';

/**
 * Endpoints of a table, which shows an address with each of its ports and nothing more, with the names of the Service's
 * ports: by the number that rules of a dump lead to; the only port's; or by the Service's own numbers, where these are the
 * same, one by one. Undefined: which port is which is not known.
 */
export function namedEndpoints(value: Tree, ports: readonly Tree[], own: SeenService | undefined): Tree | undefined {
  const subsets = Array.isArray(value.subsets) ? (value.subsets as readonly Tree[]) : [];
  const named: Tree[] = [];
  for (const subset of subsets) {
    const shown = portsOf(subset);
    const isNamed = shown.every(({ name }) => name !== undefined);
    const found = isNamed ? shown : (onlyPort(shown, ports) ?? byRules(shown, own) ?? byNumber(shown, ports));
    if (found === undefined) return undefined;
    named.push({ ...subset, ports: found });
  }
  return subsets.length === 0 ? value : { ...value, subsets: named };
}

function onlyPort(shown: readonly Tree[], ports: readonly Tree[]): readonly Tree[] | undefined {
  const [port] = ports;
  if (port === undefined) return shown.length < 2 ? shown : undefined;
  return ports.length === 1 && shown.length === 1 ? shown.map((one) => named(one, port)) : undefined;
}

/** Every name of a number that the table shows has to find its port: else which of them is meant is not known. */
function byRules(shown: readonly Tree[], own: SeenService | undefined): readonly Tree[] | undefined {
  const byTarget = new Map<string, Map<string, Tree>>();
  for (const [key, endpoints] of own?.endpoints ?? []) {
    const [, protocol, name = ''] = key.split(' ');
    for (const { port } of endpoints) {
      const known = byTarget.get(String(port)) ?? new Map<string, Tree>();
      byTarget.set(String(port), known.set(`${protocol} ${name}`, { name, protocol }));
    }
  }
  return assigned(shown, byTarget);
}

/** Where each number of the Service is one of the endpoints', no targetPort differs as far as anybody can see. */
function byNumber(shown: readonly Tree[], ports: readonly Tree[]): readonly Tree[] | undefined {
  if (shown.length !== ports.length) return undefined;
  const own = new Map<string, Map<string, Tree>>();
  for (const port of ports) {
    const known = own.get(String(port.port)) ?? new Map<string, Tree>();
    own.set(String(port.port), known.set(`${String(port.protocol)} ${String(port.name)}`, port));
  }
  return assigned(shown, own);
}

function assigned(
  shown: readonly Tree[],
  candidates: ReadonlyMap<string, ReadonlyMap<string, Tree>>,
): readonly Tree[] | undefined {
  const left = new Map([...candidates].map(([number, found]) => [number, [...found.values()]]));
  const found: Tree[] = [];
  for (const port of shown) {
    const next = left.get(String(port.port))?.shift();
    if (next === undefined) return undefined;
    found.push(named(port, next));
  }
  return shown.every(({ port }) => (left.get(String(port)) ?? []).length === 0) ? found : undefined;
}

function named(port: Tree, { name, protocol }: Tree): Tree {
  return { ...port, ...(name ? { name } : {}), ...(protocol === undefined ? {} : { protocol }) };
}
