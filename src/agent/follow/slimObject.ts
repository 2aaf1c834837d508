import type { ListItem } from '../../live/lists/readList.ts';

/**
 * An object without parts that no rule depends on: a large cluster is kept in memory, and most of an object says who
 * wrote it when. The rest changes only when rules may.
 */
export function slimObject(kind: string, item: ListItem): ListItem {
  const { metadata, ...rest } = item;
  const slim = { metadata: slimMetadata(treeOf(metadata)), ...(slimmers[kind] ?? keepAll)(rest) };
  return slim;
}

type Tree = Readonly<Record<string, unknown>>;

function keepAll(rest: Tree): Tree {
  return rest;
}

const slimmers: Readonly<Record<string, (rest: Tree) => Tree>> = {
  Node: ({ spec, status }) => ({
    spec: only(treeOf(spec), ['podCIDR', 'podCIDRs', 'providerID']),
    status: {
      addresses: treeOf(status).addresses,
      nodeInfo: only(treeOf(treeOf(status).nodeInfo), ['kubeletVersion', 'kubeProxyVersion', 'kernelVersion']),
    },
  }),
  EndpointSlice: ({ endpoints, ...rest }) => ({
    ...rest,
    endpoints: Array.isArray(endpoints) ? endpoints.map((one) => slimEndpoint(treeOf(one))) : endpoints,
  }),
  Pod: ({ spec, status }) => ({
    spec: {
      ...only(treeOf(spec), ['nodeName', 'hostNetwork', 'restartPolicy']),
      containers: listOf(treeOf(spec).containers).map((one) => only(treeOf(one), ['name', 'ports'])),
    },
    status: {
      ...only(treeOf(status), ['phase', 'podIP', 'podIPs', 'hostIP', 'hostIPs']),
      conditions: listOf(treeOf(status).conditions).map((one) => only(treeOf(one), ['type', 'status'])),
    },
  }),
  Service: ({ spec, status }) => ({
    spec,
    ...(treeOf(status).loadBalancer !== undefined && { status: only(treeOf(status), ['loadBalancer']) }),
  }),
  Namespace: () => ({}),
  ServiceCIDR: ({ spec }) => ({ spec }),
  ConfigMap: ({ data }) => ({ data }),
};

function slimEndpoint(endpoint: Tree): Tree {
  const { targetRef, ...rest } = endpoint;
  return targetRef === undefined
    ? rest
    : { ...rest, targetRef: only(treeOf(targetRef), ['kind', 'name', 'namespace']) };
}

/** Only annotations that mean something to kube-proxy. */
function slimMetadata(metadata: Tree): Tree {
  const { annotations, ...rest } = metadata;
  const kept = Object.entries(treeOf(annotations)).filter(([name]) => /^service\.kubernetes\.io\//.test(name));
  const named = only(rest, ['name', 'namespace', 'uid', 'labels', 'deletionTimestamp']);
  return kept.length === 0 ? named : { ...named, annotations: Object.fromEntries(kept) };
}

function only(tree: Tree, fields: readonly string[]): Tree {
  return Object.fromEntries(fields.flatMap((field) => (tree[field] === undefined ? [] : [[field, tree[field]]])));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function treeOf(value: unknown): Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : {};
}
