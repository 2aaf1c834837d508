import type { ListItem } from '../../live/lists/readList.ts';
import { slimObject } from './slimObject.ts';

/** An object in memory: a hundred thousand endpoints take a tenth of the memory as text. */
export interface StoredObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly key: string;
  /** JSON, without parts that no rule depends on. */
  readonly text: string;
  /** The Service (`namespace/name`) that it is or has endpoints of; undefined: rules of all Services depend on it. */
  readonly service: string | undefined;
}

/** What changed in a store since one of its revisions. */
export interface StoreChanges {
  /** `namespace/name`, including those of deleted objects. */
  readonly services: ReadonlySet<string>;
  /** Something changed that rules of many Services or of policies depend on, or too much to tell. */
  readonly isWide: boolean;
  /** Objects of these Services as they were. */
  readonly before: readonly StoredObject[];
}

/**
 * The objects that rules depend on, and when each Service last changed, itself or its endpoints. Times are those of a
 * clock that only rises. A source is one list that is followed.
 */
export interface ObjectStore {
  /** A list begins, and is complete: objects missing in it are deleted. */
  readonly listing: (source: string) => void;
  readonly listed: (source: string) => void;
  readonly put: (source: string, as: Pick<StoredObject, 'kind' | 'apiVersion'>, item: ListItem) => void;
  readonly remove: (source: string, item: ListItem) => void;
  readonly all: () => Iterable<StoredObject>;
  /** Rises with each change that rules may depend on. */
  readonly revision: () => number;
  /** What changed since a revision; changes before the one that was asked last are forgotten. */
  readonly changesSince: (revision: number) => StoreChanges;
  /** Services (`namespace/name`) that changed since a time, including deleted ones. */
  readonly changedSince: (time: number) => ReadonlySet<string>;
  /** When something last changed that rules of all Services depend on, or rules of NetworkPolicies. */
  readonly changedAt: (what: 'ground' | 'policies') => number;
}

export function createObjectStore(now: () => number): ObjectStore {
  const sources = new Map<string, Map<string, StoredObject>>();
  const seen = new Map<string, Set<string>>();
  const changes = new Map<string, number>();
  const times = { ground: Number.NEGATIVE_INFINITY, policies: Number.NEGATIVE_INFINITY };
  const log = changeLog();
  const ofSource = (source: string) => {
    let own = sources.get(source);
    if (own === undefined) {
      own = new Map();
      sources.set(source, own);
    }
    return own;
  };
  const note = ({ kind, service }: StoredObject, before: StoredObject | undefined) => {
    log.add(service, before);
    if (service !== undefined) changes.set(service, now());
    else times[policyKinds.has(kind) ? 'policies' : 'ground'] = now();
  };
  const drop = (source: string, key: string) => {
    const known = sources.get(source)?.get(key);
    if (known === undefined) return;
    sources.get(source)?.delete(key);
    note(known, known);
  };
  return {
    listing: (source) => seen.set(source, new Set()),
    listed: (source) => {
      const listed = seen.get(source);
      seen.delete(source);
      for (const key of [...ofSource(source).keys()]) if (listed?.has(key) === false) drop(source, key);
    },
    put: (source, { kind, apiVersion }, item) => {
      const key = keyOf(item);
      seen.get(source)?.add(key);
      const text = JSON.stringify(slimObject(kind, item));
      const own = ofSource(source);
      const known = own.get(key);
      if (known?.text === text) return;
      const stored = { kind, apiVersion, key, text, service: serviceOf(kind, item) };
      // A slice may have belonged to another Service before.
      if (known !== undefined && known.service !== stored.service) note(known, known);
      own.set(key, stored);
      note(stored, known);
    },
    remove: (source, item) => drop(source, keyOf(item)),
    all: function* () {
      for (const own of sources.values()) yield* own.values();
    },
    revision: log.revision,
    changesSince: log.since,
    changedSince: (time) => {
      const recent = new Set<string>();
      for (const [service, at] of changes) {
        if (at >= time) recent.add(service);
        else if (at < time - keptChanges) changes.delete(service);
      }
      return recent;
    },
    changedAt: (what) => times[what],
  };
}

/** How many milliseconds longer than requested a change is remembered. */
const keptChanges = 600_000;

const policyKinds: ReadonlySet<string> = new Set(['NetworkPolicy', 'Pod', 'Namespace']);

/** One entry for each change, until somebody has asked for later ones. */
function changeLog() {
  let entries: { readonly service: string | undefined; readonly before: StoredObject | undefined }[] = [];
  /** The revision before the first entry. */
  let start = 0;
  const revision = () => start + entries.length;
  return {
    revision,
    add: (service: string | undefined, before: StoredObject | undefined) => {
      entries.push({ service, before });
      if (entries.length <= mostEntries) return;
      start += entries.length;
      entries = [];
    },
    since: (from: number): StoreChanges => {
      const isForgotten = from < start;
      if (!isForgotten) {
        entries.splice(0, from - start);
        start = from;
      }
      const services = new Set(entries.flatMap(({ service }) => service ?? []));
      return {
        services,
        isWide: isForgotten || entries.some(({ service }) => service === undefined),
        before: entries.flatMap(({ service, before }) => (service === undefined ? [] : (before ?? []))),
      };
    },
  };
}

/** Many changes, as of a first list, are compared as a whole anyway. */
const mostEntries = 2000;

function keyOf({ metadata }: ListItem): string {
  const { namespace, name } = (metadata ?? {}) as Metadata;
  return namespace === undefined ? String(name) : `${namespace}/${name}`;
}

function serviceOf(kind: string, { metadata }: ListItem): string | undefined {
  if (!holdsService.has(kind)) return undefined;
  const { namespace, name, labels } = (metadata ?? {}) as Metadata;
  if (kind !== 'EndpointSlice') return `${namespace}/${name}`;
  // A slice without the label belongs to no Service, and no rule depends on it.
  return `${namespace}/${labels?.['kubernetes.io/service-name'] ?? ''}`;
}

const holdsService: ReadonlySet<string> = new Set(['Service', 'EndpointSlice', 'Endpoints']);

interface Metadata {
  readonly namespace?: string;
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
}
