import type { Api } from './api.ts';

/** What is asked about an object of a manifest; the API server judges the rest. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly status?: { readonly addresses?: readonly { readonly type: string; readonly address: string }[] };
  readonly items?: readonly KubeObject[];
}

const paths: Readonly<Record<string, (namespace: string) => string>> = {
  Service: (namespace) => `/api/v1/namespaces/${namespace}/services`,
  EndpointSlice: (namespace) => `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`,
  Node: () => '/api/v1/nodes',
};

/** Creates objects with their status; returns why that failed. */
export async function applyObjects(api: Api, objects: readonly KubeObject[]): Promise<string | undefined> {
  try {
    for (const object of objects) {
      const path = paths[object.kind];
      if (path === undefined) return `kind ${object.kind}`;
      await apply(api, path(object.metadata.namespace ?? 'default'), object);
    }
    return undefined;
  } catch (problem) {
    return (problem as Error).message;
  }
}

async function apply(api: Api, path: string, object: KubeObject): Promise<void> {
  const { name, namespace = 'default' } = object.metadata;
  if (isOwn(object)) return;
  if (object.kind !== 'Node' && (await api.tryGet(`/api/v1/namespaces/${namespace}`)) === undefined) {
    await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  }
  await api.create(path, { ...object, metadata: { ...object.metadata, resourceVersion: undefined } });
  if (object.status !== undefined) await api.patch(`${path}/${name}/status`, { status: object.status });
}

/** The API server keeps these itself. */
function isOwn({ kind, metadata }: KubeObject): boolean {
  const { name, namespace = 'default' } = metadata;
  return kind !== 'Node' && namespace === 'default' && name === 'kubernetes';
}

const lists: Readonly<Record<string, string>> = {
  Service: '/api/v1/services',
  Node: '/api/v1/nodes',
  EndpointSlice: '/apis/discovery.k8s.io/v1/endpointslices',
  ServiceCIDR: '/apis/networking.k8s.io/v1/servicecidrs',
};

/** All that kube-proxy follows, as one List, without what changes from run to run. */
export async function clusterObjects(api: Api): Promise<object> {
  const items = await Promise.all(
    Object.entries(lists).map(async ([kind, path]) => {
      const list = (await api.get(path)) as { readonly apiVersion: string; readonly items: readonly KubeObject[] };
      return list.items.map((item) => withoutRun({ ...item, apiVersion: list.apiVersion, kind }));
    }),
  );
  return { apiVersion: 'v1', kind: 'List', items: items.flat() };
}

function withoutRun(item: KubeObject): KubeObject {
  const run = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields'];
  const metadata = Object.fromEntries(Object.entries(item.metadata).filter(([key]) => !run.includes(key)));
  return { ...item, metadata: metadata as KubeObject['metadata'] };
}

export async function removeObjects(api: Api): Promise<void> {
  for (const kind of ['EndpointSlice', 'Service', 'Node']) {
    const { items } = (await api.get(lists[kind] as string)) as { readonly items: readonly KubeObject[] };
    for (const item of items) {
      const { name, namespace = 'default' } = item.metadata;
      if (!isOwn({ ...item, kind })) await api.remove(`${paths[kind]?.(namespace)}/${name}`);
    }
  }
}
