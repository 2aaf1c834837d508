import { columnsKey, type EndpointColumns } from '../../common/proxy/endpointColumns.ts';
import type { ItemsAhead } from '../../load/json/itemsAhead.ts';
import type { SourceObject } from '../../load/sourceObject.ts';
import type { EndpointSliceObject } from '../../validate/kinds/manifests.ts';
import { validate } from '../../validate/validate.ts';
import { type EndpointColumn, endpointReader } from './endpointReader.ts';
import type { EndpointShape } from './endpointShape.ts';
import { stateNumbers } from './endpointStates.ts';
import { readSlice } from './sliceReader.ts';

/**
 * Checks the EndpointSlices of a long List while it is read, and keeps columns of their endpoints, which are most of a
 * large cluster's content. Endpoints of usual shapes get there from the bytes; no objects are made of them. An invalid slice
 * stays as it is: the checks of all objects will report its problems. Slices shorter than `shortest` bytes are parsed.
 */
export function slicesAhead(shortest = shortestRead): ItemsAhead {
  const states: object[] = [];
  const numberOf = stateNumbers(states);
  const endpoints = endpointReader(isSound, ({ sample }, nodeName = sample.nodeName) =>
    numberOf({ conditions: sample.conditions, nodeName, hints: sample.hints }),
  );
  let column: EndpointColumn = { addresses: [], stateOf: [] };
  let waiting: Waiting[] = [];
  /** The slice that was read from its bytes last: its endpoints stand in the column from `start` on. */
  let last: { readonly slice: EndpointSliceObject; readonly start: number } | undefined;

  const add = (slice: EndpointSliceObject) => {
    for (const endpoint of slice.endpoints ?? []) {
      column.addresses.push(endpoint.addresses[0] as string);
      column.stateOf.push(numberOf(endpoint));
    }
  };
  const replace = (items: unknown[]) => {
    const sound = soundOf(waiting);
    const { addresses, stateOf } = column;
    for (const { index, slice, isRead, again, start, end } of waiting) {
      if (!sound.has(slice)) {
        if (isRead) items[index] = again();
        continue;
      }
      const first = isRead ? start : addresses.length;
      if (!isRead) add(slice);
      // Not by spreading the column: what is added to an object later takes more room.
      const columns = { start: first, end: isRead ? end : addresses.length, addresses, stateOf, states };
      items[index] = new SliceAhead(slice, columns, again);
    }
    waiting = [];
    column = { addresses: [], stateOf: [] };
  };
  return {
    read: (bytes, textOf) => {
      if (bytes.length < shortest) return undefined;
      const start = column.addresses.length;
      const slice = readSlice(bytes, textOf, endpoints, column);
      if (!isSlice(slice) || !areOfType(slice, column, start)) {
        if (column.addresses.length > start) truncate(column, start);
        return undefined;
      }
      last = { slice: { ...slice, endpoints: [] }, start };
      return last.slice;
    },
    added: (items, again) => {
      const slice = items.at(-1);
      if (!isSlice(slice)) return;
      const isRead = slice === last?.slice;
      const end = column.addresses.length;
      const start = isRead ? (last?.start ?? end) : end;
      waiting.push({ index: items.length - 1, slice, isRead, again, start, end });
      if (waiting.length === batchSize) replace(items);
    },
    end: replace,
  };
}

/** JSON.parse is as fast, with less memory, for a few endpoints: some 500 bytes each as kubectl writes them. */
const shortestRead = 8192;

/** So few that they are still young when they are dropped. */
const batchSize = 64;

interface Waiting {
  readonly index: number;
  readonly slice: EndpointSliceObject;
  /** Its endpoints were read from the bytes: they are in the column already, and no longer in the slice. */
  readonly isRead: boolean;
  readonly again: () => unknown;
  readonly start: number;
  readonly end: number;
}

const apiVersion = 'discovery.k8s.io/v1';
const kind = 'EndpointSlice';

/** By its own words; its fields are not checked. */
function isSlice(value: unknown): value is EndpointSliceObject {
  if (typeof value !== 'object' || value === null) return false;
  const { apiVersion: version, kind: own } = value as Readonly<Record<string, unknown>>;
  return own === kind && version === apiVersion;
}

function truncate({ addresses, stateOf }: EndpointColumn, length: number): void {
  addresses.length = length;
  stateOf.length = length;
}

/** The addresses from `start` on, each of which is in order by itself. */
function areOfType({ addressType }: EndpointSliceObject, { addresses }: EndpointColumn, start: number): boolean {
  if (addressType !== 'IPv4' && addressType !== 'IPv6') return false;
  for (let at = start; at < addresses.length; at += 1) {
    if ((addresses[at] as string).includes(':') !== (addressType === 'IPv6')) return false;
  }
  return true;
}

/** Nothing is said about such an endpoint in a slice that is in order. */
function isSound({ sample }: EndpointShape): boolean {
  const slice = {
    apiVersion,
    kind,
    metadata: { name: 'slice', namespace: 'default', labels: { 'kubernetes.io/service-name': 'service' } },
    addressType: sample.addresses[0]?.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: [sample],
  };
  return soundOf([{ slice: slice as unknown as EndpointSliceObject }]).size === 1;
}

/** Slices without problems, which are used as they were written. */
function soundOf(waiting: readonly Pick<Waiting, 'slice'>[]): ReadonlySet<EndpointSliceObject> {
  const objects = waiting.map(
    ({ slice }, at): SourceObject => ({
      apiVersion,
      kind,
      value: slice as unknown as SourceObject['value'],
      origin: { file: '', document: 0, path: [at] },
    }),
  );
  const sound = new Set<EndpointSliceObject>();
  const unsound = new Set<unknown>();
  const { manifests } = validate(objects, ({ at }) => unsound.add(at[0]?.path[0]));
  for (const { value, origin } of manifests.endpointSlices) {
    if (!unsound.has(origin.path[0]) && haveOneAddress(value)) sound.add(value);
  }
  return new Set(waiting.flatMap(({ slice }) => (sound.has(slice) ? [slice] : [])));
}

function haveOneAddress({ endpoints }: EndpointSliceObject): boolean {
  return (endpoints ?? []).every(({ addresses }) => addresses.length === 1);
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
