import { columnsKey, type EndpointColumns } from '../../common/proxy/endpointColumns.ts';
import type { ItemsAhead } from '../../load/json/itemsAhead.ts';
import type { SourceObject } from '../../load/sourceObject.ts';
import type { EndpointSliceObject } from '../../validate/kinds/manifests.ts';
import type { SliceEndpoint } from '../../validate/shown/sliceEndpoints.ts';
import { validate } from '../../validate/validate.ts';

/**
 * Checks the EndpointSlices of a long List while it is read, and keeps columns of their endpoints, which are most of a
 * large cluster's content. An invalid slice stays as it is: the checks of all objects will report its problems.
 */
export function slicesAhead(): ItemsAhead {
  let waiting: Waiting[] = [];
  const replace = (items: unknown[]) => {
    const sound = soundOf(waiting);
    const columns = columnsOfAll(sound);
    for (const [at, { index, slice, again }] of sound.entries()) {
      items[index] = new SliceAhead(slice, columns[at] as EndpointColumns, again);
    }
    waiting = [];
  };
  return {
    added: (items, again) => {
      const slice = items.at(-1);
      if (!isSlice(slice)) return;
      waiting.push({ index: items.length - 1, slice, again });
      if (waiting.length === batchSize) replace(items);
    },
    end: replace,
  };
}

/** So few that they are still young when they are dropped. */
const batchSize = 64;

interface Waiting {
  readonly index: number;
  readonly slice: EndpointSliceObject;
  readonly again: () => unknown;
}

const apiVersion = 'discovery.k8s.io/v1';
const kind = 'EndpointSlice';

/** By its own words; its fields are not checked. */
function isSlice(value: unknown): value is EndpointSliceObject {
  if (typeof value !== 'object' || value === null) return false;
  const { apiVersion: version, kind: own } = value as Readonly<Record<string, unknown>>;
  return own === kind && version === apiVersion;
}

/** Slices without problems, which are used as they were written. */
function soundOf(waiting: readonly Waiting[]): readonly Waiting[] {
  const objects = waiting.map(
    ({ slice }, at): SourceObject => ({
      apiVersion,
      kind,
      value: slice as unknown as SourceObject['value'],
      origin: { file: '', document: 0, path: [at] },
    }),
  );
  const sound = new Set<unknown>();
  const unsound = new Set<unknown>();
  const { manifests } = validate(objects, ({ at }) => unsound.add(at[0]?.path[0]));
  for (const { value, origin } of manifests.endpointSlices) if (!unsound.has(origin.path[0])) sound.add(value);
  return waiting.filter(({ slice }) => sound.has(slice) && haveOneAddress(slice));
}

function haveOneAddress({ endpoints }: EndpointSliceObject): boolean {
  return (endpoints ?? []).every(({ addresses }) => addresses.length === 1);
}

function columnsOfAll(waiting: readonly Waiting[]): readonly EndpointColumns[] {
  const addresses: string[] = [];
  const stateOf: number[] = [];
  const states: object[] = [];
  const numberOf = stateNumbers(states);
  return waiting.map(({ slice }) => {
    const start = addresses.length;
    for (const endpoint of slice.endpoints ?? []) {
      addresses.push(endpoint.addresses[0] as string);
      stateOf.push(numberOf(endpoint));
    }
    return { start, end: addresses.length, addresses, stateOf, states };
  });
}

type State = Pick<SliceEndpoint, 'conditions' | 'nodeName' | 'hints'>;

/** Gives the number of an endpoint's state among `states`, and adds it if it is new. */
function stateNumbers(states: object[]): (state: State) => number {
  const plain = new Map<SliceEndpoint['nodeName'], (number | undefined)[]>();
  const hinted = new Map<string, number>();
  const add = ({ conditions, nodeName, hints }: State) => states.push({ conditions, nodeName, hints }) - 1;
  return (state) => {
    const { conditions, nodeName, hints } = state;
    const { ready, serving, terminating } = conditions ?? {};
    const conditionsKey = conditionKey(ready) * 16 + conditionKey(serving) * 4 + conditionKey(terminating);
    if (hints) {
      const key = JSON.stringify([conditionsKey, nodeName ?? null, hints]);
      const number = hinted.get(key) ?? add(state);
      hinted.set(key, number);
      return number;
    }
    // Without a text for each of a hundred thousand.
    let ofNode = plain.get(nodeName);
    if (ofNode === undefined) {
      ofNode = [];
      plain.set(nodeName, ofNode);
    }
    ofNode[conditionsKey] ??= add(state);
    return ofNode[conditionsKey];
  };
}

function conditionKey(value: boolean | null | undefined): number {
  return value === true ? 1 : value === false ? 2 : value === null ? 3 : 0;
}

/** A class because of its getter: with one on each object, the engine gives each a separate layout. */
class SliceAhead {
  readonly apiVersion = apiVersion;
  readonly kind = kind;
  readonly metadata: EndpointSliceObject['metadata'];
  readonly addressType: EndpointSliceObject['addressType'];
  readonly ports: EndpointSliceObject['ports'];
  readonly [columnsKey]: EndpointColumns;
  readonly #again: () => unknown;

  constructor(slice: EndpointSliceObject, columns: EndpointColumns, again: () => unknown) {
    this.metadata = slice.metadata;
    this.addressType = slice.addressType;
    this.ports = slice.ports;
    this[columnsKey] = columns;
    this.#again = again;
  }

  get endpoints(): EndpointSliceObject['endpoints'] {
    return (this.#again() as EndpointSliceObject).endpoints;
  }
}
