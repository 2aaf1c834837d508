import type { ApiAnswer } from '../../src/live/clusterApi.ts';
import type { OpenCluster, WriteAnswer } from '../../src/live/clusterWriter.ts';

/** An API server in memory: lists, watches with a place, and what was written to it. */
export interface FakeCluster extends OpenCluster {
  readonly put: (path: string, object: FakeObject) => void;
  readonly remove: (path: string, name: string, namespace?: string) => void;
  /** Nobody answers, and connections end. */
  readonly setDown: (isDown: boolean) => void;
  /** Watches end, and the server does not know their place any more. */
  readonly forget: () => void;
  readonly asked: readonly string[];
  readonly written: readonly Written[];
  /** What a write is answered; undefined: that it is done. */
  readonly answers: Map<string, (object: object) => WriteAnswer>;
}

export interface Written {
  readonly method: 'create' | 'patch';
  readonly path: string;
  readonly object: Readonly<Record<string, unknown>>;
}

export interface FakeObject {
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

interface Change {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly path: string;
  readonly object: FakeObject;
}

interface Watch {
  readonly path: string;
  readonly field: string | undefined;
  readonly line: (text: string) => void;
  readonly end: (answer: ApiAnswer) => void;
}

const down: ApiAnswer = { kind: 'failed', message: 'connection refused' };

export function fakeCluster(): FakeCluster {
  const lists = new Map<string, Map<string, FakeObject>>();
  const changes: Change[] = [];
  const watches = new Set<Watch>();
  const asked: string[] = [];
  const written: Written[] = [];
  const answers: FakeCluster['answers'] = new Map();
  let version = 1;
  let oldest = 0;
  let isDown = false;
  const tell = (change: Change) => {
    changes.push(change);
    for (const watch of watches) if (watch.path === change.path) sayTo(watch, change);
  };
  const keyOf = (name: string, namespace: string | undefined) => `${namespace ?? ''}/${name}`;
  const put: FakeCluster['put'] = (path, object) => {
    const own = lists.get(path) ?? new Map<string, FakeObject>();
    lists.set(path, own);
    const key = keyOf(object.metadata.name, object.metadata.namespace);
    version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    const type = own.has(key) ? 'MODIFIED' : 'ADDED';
    own.set(key, stored);
    tell({ version, type, path, object: stored });
  };
  const get = async (path: string): Promise<ApiAnswer> => {
    asked.push(path);
    if (isDown) return down;
    const [base = '', query = ''] = path.split('?');
    const list = lists.get(base);
    if (list !== undefined) {
      const field = new URLSearchParams(query).get('fieldSelector') ?? undefined;
      const items = [...list.values()].filter((object) => hasField(object, field));
      return { kind: 'found', text: JSON.stringify({ metadata: { resourceVersion: String(version) }, items }) };
    }
    const one = lists.get(base.replace(/\/[^/]+$/, ''))?.get(keyOf(base.replace(/.*\//, ''), undefined));
    return one === undefined
      ? { kind: 'refused', reason: 'NotFound', message: `${base} not found` }
      : { kind: 'found', text: JSON.stringify(one) };
  };
  const follow: OpenCluster['api']['follow'] = (path, line, signal) =>
    new Promise((resolve) => {
      asked.push(path);
      const [base = '', query = ''] = path.split('?');
      const parameters = new URLSearchParams(query);
      const from = Number(parameters.get('resourceVersion'));
      if (isDown || signal.aborted) return resolve(down);
      if (from < oldest) return resolve({ kind: 'refused', reason: 'Expired', message: 'too old' });
      const field = parameters.get('fieldSelector') ?? undefined;
      const watch: Watch = {
        path: base,
        field,
        line,
        end: (answer) => {
          watches.delete(watch);
          resolve(answer);
        },
      };
      watches.add(watch);
      signal.addEventListener('abort', () => watch.end({ kind: 'found', text: '' }));
      for (const change of changes) if (change.version > from && change.path === base) sayTo(watch, change);
    });
  const write = async (method: Written['method'], path: string, object: object): Promise<WriteAnswer> => {
    if (isDown) return { kind: 'failed', message: 'connection refused' };
    written.push({ method, path, object: object as Written['object'] });
    return answers.get(path)?.(object) ?? { kind: 'done', text: '{}' };
  };
  return {
    api: { name: 'cluster test', get, follow },
    writer: {
      create: (path, object) => write('create', path, object),
      patch: (path, object) => write('patch', path, object),
    },
    put,
    remove: (path, name, namespace) => {
      const object = lists.get(path)?.get(keyOf(name, namespace));
      if (object === undefined) throw new Error(`${path}: there is no ${name}`);
      lists.get(path)?.delete(keyOf(name, namespace));
      version += 1;
      tell({
        version,
        type: 'DELETED',
        path,
        object: { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } },
      });
    },
    setDown: (own) => {
      isDown = own;
      if (own) for (const watch of [...watches]) watch.end(down);
    },
    forget: () => {
      version += 1;
      oldest = version;
      for (const watch of [...watches]) watch.end({ kind: 'refused', reason: 'Expired', message: 'too old' });
    },
    asked,
    written,
    answers,
  };
}

function sayTo({ field, line }: Watch, { type, object }: Change): void {
  if (hasField(object, field)) line(JSON.stringify({ type, object }));
}

/** `metadata.name=n1` is all that anybody here selects by. */
function hasField({ metadata }: FakeObject, field: string | undefined): boolean {
  return field === undefined || field === `metadata.name=${metadata.name}`;
}

export const servicesPath = '/api/v1/services';
export const slicesPath = '/apis/discovery.k8s.io/v1/endpointslices';
export const nodesPath = '/api/v1/nodes';
export const rangesPath = '/apis/networking.k8s.io/v1/servicecidrs';
export const configMapsPath = '/api/v1/namespaces/kube-system/configmaps';
