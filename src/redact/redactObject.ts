import { parse } from 'yaml';
import type { Redaction } from './redaction.ts';
import { redactEndpoint } from './redactWords.ts';

type Tree = Readonly<Record<string, unknown>>;

/** Names of objects, told first, so that each gets a name that says what it is. */
export function learnNames(items: readonly Tree[], { names }: Redaction): void {
  for (const { kind, metadata, spec } of items) {
    const { name, namespace } = treeOf(metadata);
    if (typeof namespace === 'string') names.of(namespace, 'ns');
    if (typeof name === 'string') names.of(name, kindWords.get(String(kind)) ?? 'object');
    for (const port of listOf(treeOf(spec).ports))
      if (typeof treeOf(port).name === 'string') names.of(String(treeOf(port).name), 'port');
  }
}

const kindWords: ReadonlyMap<string, string> = new Map([
  ['Namespace', 'ns'],
  ['Service', 'svc'],
  ['Pod', 'pod'],
  ['Node', 'node'],
  ['EndpointSlice', 'slice'],
  ['NetworkPolicy', 'policy'],
  ['Ingress', 'ingress'],
]);

/** An object with other names and addresses. A text that is not known to be harmless is replaced. */
export function redactObject(object: Tree, redaction: Redaction): Tree {
  if (object.kind === 'ConfigMap') return redactConfigMap(object, redaction);
  return redactTree(object, redaction, '');
}

function redactTree(tree: Tree, redaction: Redaction, under: string): Tree {
  const entries = Object.entries(tree).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    if (dropped.has(key)) return [];
    const isMap = keyed.has(under) && tree.matchLabels === undefined && tree.matchExpressions === undefined;
    const own = isMap ? redaction.names.ofKey(key) : key;
    if (under === 'annotations') return [[own, redactAnnotation(String(value), redaction)]];
    return [[own, redactValue(value, redaction, isMap ? 'label value' : key)]];
  });
  return Object.fromEntries(entries);
}

function redactValue(value: unknown, redaction: Redaction, key: string): unknown {
  if (Array.isArray(value)) return value.map((one) => redactValue(one, redaction, key));
  if (typeof value === 'string') return redactString(value, redaction, key);
  return typeof value === 'object' && value !== null ? redactTree(value as Tree, redaction, key) : value;
}

/** What the API server makes of an object, and nothing here looks at. */
const dropped: ReadonlySet<string> = new Set([
  'uid',
  'generateName',
  'selfLink',
  'managedFields',
  'message',
  'ownerReferences',
]);
/** Fields whose keys are labels, annotations or the like. */
const keyed: ReadonlySet<string> = new Set(['labels', 'annotations', 'matchLabels', 'selector', 'nodeSelector']);

function redactString(text: string, redaction: Redaction, key: string): string {
  const { names, addresses } = redaction;
  if (key === 'key') return names.ofKey(text);
  const address = addresses.of(text);
  if (address !== undefined) return address;
  if (names.has(text)) return names.of(text, 'name');
  if (words.has(key) || plain.test(text)) return text;
  if (key === 'hostname' || key === 'host' || key === 'externalName') return redactHost(text, redaction);
  return names.of(text, key === 'label value' || key === 'values' ? 'value' : 'name');
}

/** Fields of the API whose values are words of the API, versions or the like. */
const words: ReadonlySet<string> = new Set([
  ...[
    'kind',
    'apiVersion',
    'type',
    'protocol',
    'appProtocol',
    'phase',
    'policyTypes',
    'operator',
    'effect',
    'status',
    'reason',
  ],
  ...['ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy', 'externalTrafficPolicy', 'sessionAffinity', 'ipMode'],
  ...[
    'trafficDistribution',
    'addressType',
    'scheme',
    'restartPolicy',
    'dnsPolicy',
    'conditionType',
    'pathType',
    'action',
  ],
  ...[
    'architecture',
    'operatingSystem',
    'kubeletVersion',
    'kubeProxyVersion',
    'clusterIP',
    'finalizers',
    'resourceVersion',
  ],
  ...['mode', 'scheduler', 'detectLocalMode', 'format', 'nodePortAddresses'],
]);

/** Times, durations and quantities. */
const plain =
  /^(?:|\d{4}-\d\d-\d\dT[\d:.]+Z|(?:\d+(?:\.\d+)?(?:h|m|s|ms|us|ns))+|\d+(?:m|k|[KMGT]i?)?|None|true|false)$/;

/** Names of the cluster's own DNS keep their form. */
function redactHost(host: string, { names }: Redaction): string {
  const own = /^([a-z0-9-]+)\.([a-z0-9-]+)\.svc(\..*)?$/.exec(host);
  if (own !== null) return `${names.of(own[1] ?? '', 'svc')}.${names.of(own[2] ?? '', 'ns')}.svc${own[3] ?? ''}`;
  const star = host.startsWith('*.') ? '*.' : '';
  return `${star}${names.of(host.slice(star.length), 'host')}.example`;
}

/** What says yes or no, counts or lists addresses stays what it is; any other text may say anything. */
function redactAnnotation(text: string, redaction: Redaction): string {
  if (
    plain.test(text) ||
    /^(?:auto|disabled|enabled|hostname|PreferClose|PreferSameZone|PreferSameNode|Always)$/i.test(text)
  )
    return text;
  const parts = text.split(',').map((part) => redaction.addresses.of(part.trim()));
  return parts.every((part) => part !== undefined) ? parts.join(',') : redaction.names.of(text, 'value');
}

/** kube-proxy's own: its configuration, and no kubeconfig. */
function redactConfigMap(object: Tree, redaction: Redaction): Tree {
  const { data, metadata, ...rest } = object;
  const texts = Object.entries(treeOf(data)).flatMap(([file, text]) => {
    const config = typeof text === 'string' && /kind: KubeProxyConfiguration/.test(text) ? parsed(text) : undefined;
    return config === undefined ? [] : [[file, JSON.stringify(redactConfig(config, redaction))] as const];
  });
  return { ...redactTree({ metadata }, redaction, ''), ...rest, data: Object.fromEntries(texts) };
}

function parsed(text: string): Tree | undefined {
  try {
    return treeOf(parse(text));
  } catch {
    return undefined;
  }
}

function redactConfig(config: Tree, redaction: Redaction): Tree {
  const text = (value: string, key: string): string => {
    if (key.endsWith('Address') && /:\d+$/.test(value)) return redactEndpoint(value, redaction);
    if (value.includes(','))
      return value
        .split(',')
        .map((part) => redactString(part, redaction, key))
        .join(',');
    return /^[a-zA-Z]*Prefix$|Interface$/.test(key) ? value : redactString(value, redaction, key);
  };
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return text(value, key);
    if (Array.isArray(value)) return value.map((one) => walk(one, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one, name)]));
  };
  return walk(config, '') as Tree;
}

function treeOf(value: unknown): Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
