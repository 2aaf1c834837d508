import { pairsOf } from './pairsOf.ts';
import { shownEndpoints } from './shown/shownEndpoints.ts';
import { shownNumber } from './shown/shownNumber.ts';

/** A line of a table: the text of a cell by the name of its column. */
export type TableRow = ReadonlyMap<string, string>;

/** The kinds whose tables are read. */
export type ShownKind = 'Service' | 'Endpoints' | 'Pod' | 'Node' | 'Namespace';

/** What the table of a kind leaves out of what rules are made from. */
export const hiddenByTables: Readonly<Record<ShownKind, string | undefined>> = {
  Service:
    'of Services: port names, targetPort, session affinity, traffic policies, source ranges, a second cluster IP',
  Endpoints: 'of Endpoints: port names, protocols, nodes, addresses that are not ready',
  Pod: 'of Pods: labels (but with --show-labels), names and ports of their containers (names are made up)',
  Node: 'of Nodes: Pod ranges, taints, the version of kube-proxy',
  Namespace: undefined,
};

/** What a table is of, by its columns; undefined: of another kind. */
export function kindOfTable(columns: readonly string[]): ShownKind | undefined {
  const has = (...names: readonly string[]): boolean => names.every((name) => columns.includes(name));
  if (has('CLUSTER-IP', 'PORT(S)')) return 'Service';
  // Slices have that column too, and do not show which Service they belong to, nor who is ready.
  if (has('ENDPOINTS') && !has('ADDRESSTYPE')) return 'Endpoints';
  if (has('READY', 'STATUS', 'RESTARTS')) return 'Pod';
  if (has('STATUS', 'VERSION')) return 'Node';
  // Without labels there is nothing to know of them.
  if (columns.filter((name) => name !== 'NAMESPACE').join() === 'NAME,STATUS,AGE,LABELS') return 'Namespace';
  return undefined;
}

export interface TableObject {
  readonly value: unknown;
  /** What was cut off, or cannot be known from the line. */
  readonly cuts: readonly string[];
  /** Some of its endpoints are left out. */
  readonly isCut: boolean;
}

/**
 * The object that one line shows, only with what it shows; `askedNamespace`: that of the command before it. Undefined: the
 * line has no name or another kind's.
 */
export function tableObject(kind: ShownKind, row: TableRow, askedNamespace?: string): TableObject | undefined {
  const written = row.get('NAME') ?? '';
  const slash = written.indexOf('/');
  const name = written.slice(slash + 1);
  const isOfKind = slash === -1 || prefixes[kind].includes(written.slice(0, slash));
  if (name === '' || !isOfKind) return undefined;
  const isClusterWide = kind === 'Node' || kind === 'Namespace';
  const namespace = row.get('NAMESPACE') ?? (isClusterWide ? undefined : askedNamespace);
  const labels = labelsOf(row.get('LABELS'));
  // Other kinds have these columns too; the API server gives this label since 1.21.
  if (kind === 'Namespace' && labels?.['kubernetes.io/metadata.name'] !== name) return undefined;
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
  };
  const cuts: string[] = [];
  const body = bodies[kind](row, name, cuts);
  return { value: { apiVersion: 'v1', kind, metadata, ...body }, cuts, isCut: kind === 'Endpoints' && cuts.length > 0 };
}

/** `--show-labels` prints a column: that an object has none is then known, and without it nothing is. */
function labelsOf(cell: string | undefined): Readonly<Record<string, string>> | undefined {
  if (cell === undefined) return undefined;
  const text = shown(cell);
  return text === undefined ? {} : pairsOf(text);
}

const prefixes: Readonly<Record<ShownKind, readonly string[]>> = {
  Service: ['service', 'svc'],
  Endpoints: ['endpoints', 'ep'],
  Pod: ['pod', 'po'],
  Node: ['node', 'no'],
  Namespace: ['namespace', 'ns'],
};

type Body = (row: TableRow, name: string, cuts: string[]) => Readonly<Record<string, unknown>>;

const bodies: Readonly<Record<ShownKind, Body>> = {
  Service: serviceBody,
  Endpoints: endpointsBody,
  Pod: podBody,
  Node: nodeBody,
  Namespace: () => ({}),
};

function serviceBody(row: TableRow, name: string, cuts: string[]): Readonly<Record<string, unknown>> {
  const external = row.get('EXTERNAL-IP') ?? '<none>';
  const selector = shown(row.get('SELECTOR'));
  const ports = shown(row.get('PORT(S)'))?.split(',').map(portOf);
  const type = row.get('TYPE') ?? typeByOtherColumns(external);
  if (type === undefined && ports?.some((port) => 'nodePort' in port)) {
    cuts.push(`the type of Service ${name} is not shown: NodePort or LoadBalancer`);
  }
  const spec = {
    ...(type === undefined ? {} : { type }),
    ...(shown(row.get('CLUSTER-IP')) === undefined ? {} : { clusterIP: row.get('CLUSTER-IP') }),
    ...(row.has('SELECTOR') ? { selector: selector === undefined ? {} : pairsOf(selector) } : {}),
    ...(ports === undefined ? {} : { ports }),
  };
  if (shown(external) === undefined) return { spec };
  if (type === 'ExternalName') return { spec: { ...spec, externalName: external } };
  const isCut = external.endsWith('...');
  if (isCut) cuts.push(`the external addresses of Service ${name} are cut off: see them with -o wide`);
  const addresses = external.split(',').slice(0, isCut ? -1 : undefined);
  if (type !== 'LoadBalancer') return { spec: { ...spec, externalIPs: addresses } };
  if (addresses.length > 1) {
    cuts.push(
      `the external addresses of Service ${name} are taken as those of its load balancer; some may be externalIPs`,
    );
  }
  const ingress = addresses.map((address) => ({ [isAddress(address) ? 'ip' : 'hostname']: address }));
  return { spec, status: { loadBalancer: { ingress } } };
}

/** kubectl before 1.8 has no column for the type. */
function typeByOtherColumns(external: string): string | undefined {
  return external === '<nodes>' ? 'NodePort' : external === '<pending>' ? 'LoadBalancer' : undefined;
}

/** `9411:30305/TCP`; what is no number stays as it is, to be found wrong with everything else. */
function portOf(text: string): Readonly<Record<string, unknown>> {
  const [numbers = '', protocol] = text.split('/');
  const [port = '', nodePort] = numbers.split(':');
  return {
    port: shownNumber(port),
    ...(nodePort === undefined ? {} : { nodePort: shownNumber(nodePort) }),
    ...(protocol === undefined ? {} : { protocol }),
  };
}

function endpointsBody(row: TableRow, name: string, cuts: string[]): Readonly<Record<string, unknown>> {
  const { subsets, hiddenCount } = shownEndpoints(row.get('ENDPOINTS') ?? '');
  if (hiddenCount > 0) cuts.push(`${hiddenCount} more endpoints of ${name} are not shown, and missing here`);
  return { subsets };
}

function podBody(row: TableRow): Readonly<Record<string, unknown>> {
  const node = shown(row.get('NODE'));
  const ip = shown(row.get('IP'));
  const ready = row.get('READY') ?? '';
  const gates = shown(row.get('READINESS GATES')) ?? '1/1';
  const status = row.get('STATUS') ?? '';
  const phase = status === 'Completed' ? 'Succeeded' : phases.includes(status) ? status : undefined;
  const count = Math.min(Number(/^\d+\/(\d+)$/.exec(ready)?.[1] ?? 1), mostContainers);
  const isReady = status === 'Running' && [ready, gates].every((part) => /^(\d+)\/\1$/.test(part));
  return {
    spec: {
      ...(node === undefined ? {} : { nodeName: node }),
      containers: Array.from({ length: count }, (_, index) => ({ name: `container-${index + 1}` })),
    },
    status: {
      ...(phase === undefined ? {} : { phase }),
      // The column says that there is none yet.
      ...(row.has('IP') ? { podIP: ip ?? '' } : {}),
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
    },
  };
}

const phases: readonly string[] = ['Pending', 'Running', 'Succeeded', 'Failed'];

/** No Pod has more; a number in a text may be anything. */
const mostContainers = 100;

function nodeBody(row: TableRow): Readonly<Record<string, unknown>> {
  const addresses = [
    ['InternalIP', shown(row.get('INTERNAL-IP'))],
    ['ExternalIP', shown(row.get('EXTERNAL-IP'))],
  ].flatMap(([type, address]) => (address === undefined ? [] : [{ type, address }]));
  const version = shown(row.get('VERSION'));
  const status = {
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(version === undefined ? {} : { nodeInfo: { kubeletVersion: version } }),
  };
  return { status };
}

/** A cell with something in it. */
function shown(text: string | undefined): string | undefined {
  return text === undefined || /^<(?:none|unset|unknown|nodes|pending)>$/.test(text) ? undefined : text;
}

function isAddress(text: string): boolean {
  return /^[\d.]+$/.test(text) || text.includes(':');
}
