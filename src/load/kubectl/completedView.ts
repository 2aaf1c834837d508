import type { SourceObject } from '../sourceObject.ts';
import { type Tree, treeOf, treesOf } from './described/tree.ts';

/**
 * An object with what another view of it shows and it does not: of a Service its address, node ports and the addresses of
 * its load balancer, of a Pod and a Node where they are and how they do. What a manifest leaves to a default is no gap;
 * what a table leaves out is one. Other kinds stay as they are.
 */
export function completedView(object: SourceObject, other: SourceObject): SourceObject {
  const paths = (object.detail === undefined ? leftToCluster : leftOut)[object.kind];
  if (paths === undefined) return object;
  let value: Tree = object.value;
  for (const path of paths) value = withFrom(value, other.value, path);
  if (hasNodePorts(object)) value = withNodePorts(value, other.value);
  return value === object.value ? object : { ...object, value };
}

type Paths = Readonly<Record<string, readonly (readonly string[])[]>>;

/** What the cluster decides. */
const leftToCluster: Paths = {
  Service: [
    ['spec', 'clusterIP'],
    ['status', 'loadBalancer', 'ingress'],
  ],
  Pod: [['spec', 'nodeName'], ['status']],
  Node: [
    ['spec', 'podCIDR'],
    ['status', 'addresses'],
    ['status', 'nodeInfo'],
  ],
};

const leftOut: Paths = {
  Service: [
    ...(leftToCluster.Service ?? []),
    ['metadata', 'labels'],
    ['spec', 'type'],
    ['spec', 'selector'],
    ['spec', 'ports'],
  ],
  Pod: [...(leftToCluster.Pod ?? []), ['metadata', 'labels']],
  Node: [...(leftToCluster.Node ?? []), ['metadata', 'labels']],
};

function hasNodePorts({ kind, value }: SourceObject): boolean {
  const { type } = treeOf(value.spec);
  return kind === 'Service' && (type === 'NodePort' || type === 'LoadBalancer');
}

function withFrom(value: Tree, other: Tree, path: readonly string[]): Tree {
  const [key = '', ...rest] = path;
  if (other[key] === undefined) return value;
  if (rest.length === 0) return isUnset(value[key]) ? { ...value, [key]: other[key] } : value;
  const inner = treeOf(value[key]);
  const filled = withFrom(inner, treeOf(other[key]), rest);
  return filled === inner ? value : { ...value, [key]: filled };
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** A manifest may leave the choice of node ports to the API server. */
function withNodePorts(value: Tree, other: Tree): Tree {
  const shown = treesOf(treeOf(other.spec).ports);
  const ports = treesOf(treeOf(value.spec).ports);
  const filled = ports.map((port) => {
    const same = shown.find((one) => portKey(one) === portKey(port));
    return port.nodePort === undefined && same?.nodePort !== undefined ? { ...port, nodePort: same.nodePort } : port;
  });
  if (filled.every((port, at) => port === ports[at])) return value;
  return { ...value, spec: { ...treeOf(value.spec), ports: filled } };
}

function portKey({ port, protocol }: Tree): string {
  return `${String(port)}/${String(protocol ?? 'TCP')}`;
}
