type Tree = Readonly<Record<string, unknown>>;

/**
 * An object for others to see, without unused parts that may contain secrets: who managed which field, annotations of
 * other programs, and in Pods everything except names, ports, networks, DNS and readiness.
 */
export function withoutPrivate(kind: string, value: Tree): Tree {
  const { metadata, spec, status, ...rest } = value;
  const shown = { ...rest, ...(metadata !== undefined && { metadata: ofMetadata(treeOf(metadata)) }) };
  if (kind !== 'Pod') return { ...shown, ...(spec !== undefined && { spec }), ...(status !== undefined && { status }) };
  return {
    ...shown,
    ...(spec !== undefined && { spec: ofPodSpec(treeOf(spec)) }),
    ...(status !== undefined && { status: ofPodStatus(treeOf(status)) }),
  };
}

function ofMetadata({ managedFields: _, annotations, ...metadata }: Tree): Tree {
  const kept = Object.entries(treeOf(annotations)).filter(([name]) => usedAnnotations.test(name));
  return kept.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(kept) };
}

/** Annotations of Services, endpoints and addresses. kubectl's copy of the whole object is left out. */
const usedAnnotations =
  /^(?:service(?:\.beta|\.alpha)?\.kubernetes\.io|endpoints\.kubernetes\.io|endpointslice\.kubernetes\.io|projectcalico\.org|cni\.projectcalico\.org|flannel\.alpha\.coreos\.com|(?:[a-z]+\.)?ingress\.kubernetes\.io)\/|^kubernetes\.io\/ingress\.class$/;

function ofPodSpec(spec: Tree): Tree {
  const shown = only(spec, podFields);
  const containers = Array.isArray(spec.containers) ? spec.containers : [];
  return { ...shown, containers: containers.map((one) => only(treeOf(one), containerFields)) };
}

/** The reason why a container waits is one of the kubelet's words; its messages name images and more. */
function ofPodStatus(status: Tree): Tree {
  const lists = (['initContainerStatuses', 'containerStatuses'] as const).flatMap((field) => {
    const list = status[field];
    return Array.isArray(list) ? [[field, list.map((one) => ofContainerStatus(treeOf(one)))] as const] : [];
  });
  return { ...only(status, podStatusFields), ...Object.fromEntries(lists) };
}

function ofContainerStatus({ name, ready, state }: Tree): Tree {
  const { running, waiting } = treeOf(state);
  const { reason } = treeOf(waiting);
  const shown = reason !== undefined ? { waiting: { reason } } : running ? { running: {} } : undefined;
  return { name, ready, ...(shown && { state: shown }) };
}

const podFields = [
  'nodeName',
  'hostNetwork',
  'hostname',
  'subdomain',
  'hostAliases',
  'setHostnameAsFQDN',
  'dnsPolicy',
  'dnsConfig',
  'enableServiceLinks',
  'readinessGates',
  'restartPolicy',
];
const containerFields = ['name', 'ports', 'readinessProbe'];
const podStatusFields = ['phase', 'podIP', 'podIPs', 'hostIP', 'hostIPs', 'conditions'];

function only(tree: Tree, fields: readonly string[]): Tree {
  return Object.fromEntries(fields.flatMap((field) => (tree[field] === undefined ? [] : [[field, tree[field]]])));
}

function treeOf(value: unknown): Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : {};
}
