import { statSync } from 'node:fs';
import { load } from '../../load/files/load.ts';
import { dumpPaths } from '../dumps/paths/dumpPaths.ts';
import { isFolder } from '../dumps/paths/isFolder.ts';
import type { Noted } from './commandTable.ts';
import type { GivenInput } from './completionPoint.ts';
import type { NamedObject } from './namedObject.ts';
import type { NameKind } from './valueKinds.ts';

/**
 * Names from the manifests, dumps and the cluster that a command line gives. The command itself will report what is
 * wrong with them; here only what can be read counts. People do not wait long after a key, so pipes and very long files
 * are not read.
 */
export async function inputNames(kinds: readonly NameKind[], given: GivenInput): Promise<readonly Noted[]> {
  const isManifest = kinds.some((kind) => kind !== 'chain' && kind !== 'liveNode');
  const isDump = kinds.some((kind) => kind === 'chain' || serviceKinds.has(kind));
  const [written, live, dump] = await Promise.all([
    isManifest ? readObjects(given) : [],
    readLive(kinds, given),
    isDump ? readDump(kinds, given) : [],
  ]);
  const objectsOf = (kind: NameKind) => (kind === 'liveNode' ? live : [...written, ...live]);
  const names = [...kinds.flatMap((kind) => namesOf[kind](objectsOf(kind))), ...dump];
  return [...new Map(names.map((noted) => [noted[0], noted] as const)).values()].sort(([a], [b]) =>
    a < b ? -1 : Number(a > b),
  );
}

const serviceKinds: ReadonlySet<NameKind> = new Set(['service', 'typedService', 'servicePort']);

async function readObjects({ manifests, isRecursive }: GivenInput): Promise<readonly NamedObject[]> {
  const paths = manifests.filter((path) => isFolder(path) || isShort(path));
  if (paths.length === 0) return [];
  try {
    return (await load(paths, { recursive: isRecursive }, () => {})).objects;
  } catch {
    return [];
  }
}

/** Without `--live`, no code is loaded that could contact anything. */
async function readLive(kinds: readonly NameKind[], { live }: GivenInput): Promise<readonly NamedObject[]> {
  if (live === undefined) return [];
  return (await import('./liveObjects.ts')).liveObjects(kinds, live);
}

/** Reading dumps takes much code, and most lines name none. */
async function readDump(kinds: readonly NameKind[], { dumps }: GivenInput): Promise<readonly Noted[]> {
  const paths = dumps.flatMap((path) => (isFolder(path) ? dumpPaths(path) : [path])).filter(isShort);
  return paths.length === 0 ? [] : (await import('./dumpNames.ts')).dumpNames(kinds, paths);
}

function isShort(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= longestFile;
}

const longestFile = 32 << 20;

const namesOf: Readonly<Record<NameKind, (objects: readonly NamedObject[]) => readonly Noted[]>> = {
  service: (objects) => idsOf(objects, 'Service'),
  typedService: (objects) => idsOf(objects, 'Service').map(([id, note]): Noted => [`svc/${id}`, note]),
  servicePort: (objects) =>
    ofKind(objects, 'Service').flatMap(({ value }) =>
      listAt(value, 'spec', 'ports').map(
        (port): Noted => [`${idOf(value)}:${textOf(port.name) || String(port.port)}`, 'port of a Service'],
      ),
    ),
  pod: (objects) => idsOf(objects, 'Pod'),
  typedPod: (objects) => idsOf(objects, 'Pod').map(([id, note]): Noted => [`pod/${id}`, note]),
  policy: (objects) => idsOf(objects, 'NetworkPolicy'),
  node: nodeNames,
  liveNode: (objects) => [
    ...nodeNames(objects).map(([name, note]): Noted => [`node/${name}`, note]),
    ...(objects.length > 0 ? ([['nodes', 'all nodes']] as const) : []),
  ],
  nodeParty: (objects) => nodeNames(objects).map(([name, note]): Noted => [`node/${name}`, note]),
  workload: (objects) =>
    Object.entries(workloads).flatMap(([kind, short]) =>
      idsOf(objects, kind).map(([id, note]): Noted => [`${short}/${id}`, note]),
    ),
  namespace: namespaceNames,
  typedNamespace: (objects) => namespaceNames(objects).map(([name, note]): Noted => [`ns/${name}`, note]),
  door: (objects) => [
    ...ofKind(objects, 'Pod').flatMap(({ value }) =>
      listAt(value, 'spec', 'containers')
        .flatMap((container) => listAt(container, 'ports'))
        .map((port): Noted => [`${idOf(value)}:${String(port.containerPort)}`, 'port of a Pod']),
    ),
    ...ofKind(objects, 'Service').flatMap(({ value }) =>
      listAt(value, 'spec', 'ports')
        .filter(({ nodePort }) => nodePort !== undefined)
        .map(({ nodePort }): Noted => [`node:${String(nodePort)}`, `node port of ${idOf(value)}`]),
    ),
  ],
  chain: () => [],
};

const workloads: Readonly<Record<string, string>> = {
  Deployment: 'deploy',
  StatefulSet: 'sts',
  DaemonSet: 'ds',
  Job: 'job',
};

function nodeNames(objects: readonly NamedObject[]): readonly Noted[] {
  return ofKind(objects, 'Node').map(({ value }): Noted => [textOf(treeAt(value, 'metadata').name), 'Node']);
}

function namespaceNames(objects: readonly NamedObject[]): readonly Noted[] {
  const named = objects.map(({ kind, value }) => {
    const { name, namespace } = treeAt(value, 'metadata');
    return textOf(kind === 'Namespace' ? name : namespace);
  });
  return named.filter((name) => name !== '').map((name): Noted => [name, 'Namespace']);
}

function idsOf(objects: readonly NamedObject[], kind: string): readonly Noted[] {
  return ofKind(objects, kind).map(({ value }): Noted => [idOf(value), kind]);
}

function ofKind(objects: readonly NamedObject[], kind: string): readonly NamedObject[] {
  return objects.filter((object) => object.kind === kind);
}

type Tree = NamedObject['value'];

function idOf(value: Tree): string {
  const { namespace, name } = treeAt(value, 'metadata');
  return `${textOf(namespace) || 'default'}/${textOf(name)}`;
}

function treeAt(value: Tree, key: string): Tree {
  const found = value[key];
  return found !== null && typeof found === 'object' && !Array.isArray(found) ? (found as Tree) : {};
}

/** The trees of a list, however wrong the rest of it is. */
function listAt(value: Tree, ...path: readonly string[]): readonly Tree[] {
  const holder = path.slice(0, -1).reduce(treeAt, value);
  const found = holder[path.at(-1) ?? ''];
  return Array.isArray(found) ? found.filter((one) => one !== null && typeof one === 'object') : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
