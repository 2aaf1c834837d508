/**
 * Says of connections what policies decide, from objects as they are written and by the plainest possible reading of the
 * API's documentation: nothing here is shared with the program. Every order that the API leaves open is tried.
 */

// biome-ignore lint/suspicious/noExplicitAny: objects of any kind, as they are written.
type Json = any;

export interface EvaluatedFlow {
  readonly from: string;
  readonly to: string;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP' | 'ICMP';
  readonly port: number;
}

export type Evaluated = 'allowed' | 'denied' | 'open';

export function evaluate(objects: readonly Json[], flow: EvaluatedFlow): Evaluated {
  const results = [side(objects, flow, 'egress'), side(objects, flow, 'ingress')];
  // Both sides are independent of each other.
  if (results.some((each) => each.size === 1 && each.has(false))) return 'denied';
  return results.every((each) => each.size === 1) ? 'allowed' : 'open';
}

function side(objects: readonly Json[], flow: EvaluatedFlow, direction: 'ingress' | 'egress'): Set<boolean> {
  const [own, other] = direction === 'egress' ? [flow.from, flow.to] : [flow.to, flow.from];
  const pod = podAt(objects, own);
  if (pod === undefined || own === other) return new Set([true]);
  const nodeIps = objects
    .filter(({ kind, metadata }) => kind === 'Node' && metadata.name === pod.spec.nodeName)
    .flatMap(({ status }) => status.addresses.map(({ address }: Json) => address));
  if (direction === 'ingress' && nodeIps.includes(other)) return new Set([true]);

  const matching = (policy: Json): string | undefined => {
    const { subject } = policy.spec;
    if (!isPod(objects, pod, subject)) return undefined;
    for (const rule of policy.spec[direction] ?? []) {
      const peers = direction === 'ingress' ? rule.from : rule.to;
      const isPeer = peers.some((peer: Json) => isClusterPeer(objects, peer, other));
      const ports = rule.ports ?? rule.protocols;
      if (isPeer && (ports === undefined || ports.some((port: Json) => isClusterPort(objects, port, flow)))) {
        return rule.action === 'Allow' ? 'Accept' : rule.action;
      }
    }
    return undefined;
  };
  const tierOf = ({ kind, spec }: Json) =>
    kind === 'AdminNetworkPolicy' ? 'Admin' : kind === 'BaselineAdminNetworkPolicy' ? 'Baseline' : spec.tier;
  const tier = (name: string): string[] => {
    const wide = objects.filter(({ kind }) => /(Admin|Cluster)NetworkPolicy$/.test(kind));
    const answers = wide
      .filter((policy) => tierOf(policy) === name)
      .map((policy) => ({ policy, action: matching(policy) }))
      .filter(({ action }) => action !== undefined);
    if (answers.length === 0) return ['Pass'];
    const placeOf = ({ policy }: Json) =>
      policy.kind === 'BaselineAdminNetworkPolicy' ? undefined : policy.spec.priority;
    const places = answers.map(placeOf).filter((place) => place !== undefined);
    const first = Math.min(...places);
    return answers
      .filter((each) => placeOf(each) === undefined || placeOf(each) === first)
      .map(({ action }) => action as string);
  };

  const results = new Set<boolean>();
  for (const admin of tier('Admin')) {
    if (admin !== 'Pass') {
      results.add(admin === 'Accept');
      continue;
    }
    const verdict = byNetworkPolicies(objects, pod, other, flow, direction);
    if (verdict !== undefined) results.add(verdict);
    else for (const action of tier('Baseline')) results.add(action !== 'Deny');
  }
  return results;
}

function byNetworkPolicies(
  objects: readonly Json[],
  pod: Json,
  other: string,
  flow: EvaluatedFlow,
  direction: 'ingress' | 'egress',
): boolean | undefined {
  const isolating = objects.filter(({ kind, metadata, spec }) => {
    if (kind !== 'NetworkPolicy' || metadata.namespace !== pod.metadata.namespace) return false;
    if (!selects(spec.podSelector, pod.metadata.labels)) return false;
    const types = spec.policyTypes?.length ? spec.policyTypes : ['Ingress', ...(spec.egress?.length ? ['Egress'] : [])];
    return types.includes(direction === 'ingress' ? 'Ingress' : 'Egress');
  });
  if (isolating.length === 0) return undefined;
  return isolating.some(({ metadata, spec }) =>
    (spec[direction] ?? []).some((rule: Json) => {
      const peers = direction === 'ingress' ? rule?.from : rule?.to;
      const isPeer = !peers?.length || peers.some((peer: Json) => isNetPeer(objects, peer, other, metadata.namespace));
      return isPeer && (!rule?.ports?.length || rule.ports.some((port: Json) => isNetPort(objects, port, flow)));
    }),
  );
}

function podAt(objects: readonly Json[], ip: string): Json {
  return objects.find(
    ({ kind, spec, status }) =>
      kind === 'Pod' &&
      !spec.hostNetwork &&
      !['Succeeded', 'Failed'].includes(status.phase) &&
      status.podIPs.some((each: Json) => each.ip === ip),
  );
}

function namespaceLabels(objects: readonly Json[], name: string): Json {
  const found = objects.find(({ kind, metadata }) => kind === 'Namespace' && metadata.name === name);
  return { ...found?.metadata.labels, 'kubernetes.io/metadata.name': name };
}

function isPod(objects: readonly Json[], pod: Json, { namespaces, pods }: Json): boolean {
  const labels = namespaceLabels(objects, pod.metadata.namespace);
  if (namespaces) return selects(namespaces, labels);
  return Boolean(pods) && selects(pods.namespaceSelector, labels) && selects(pods.podSelector, pod.metadata.labels);
}

function isClusterPeer(objects: readonly Json[], peer: Json, ip: string): boolean {
  if (peer.networks) return peer.networks.some((cidr: string) => isIn(cidr, ip));
  if (peer.nodes) {
    return objects.some(
      ({ kind, metadata, status }) =>
        kind === 'Node' &&
        selects(peer.nodes, metadata.labels) &&
        status.addresses.some(({ address }: Json) => address === ip),
    );
  }
  const pod = podAt(objects, ip);
  return pod !== undefined && isPod(objects, pod, peer);
}

function isNetPeer(objects: readonly Json[], peer: Json, ip: string, home: string): boolean {
  if (peer.ipBlock) {
    return isIn(peer.ipBlock.cidr, ip) && !(peer.ipBlock.except ?? []).some((cidr: string) => isIn(cidr, ip));
  }
  const pod = podAt(objects, ip);
  if (pod === undefined) return false;
  const { namespace, labels } = pod.metadata;
  const isHome = peer.namespaceSelector
    ? selects(peer.namespaceSelector, namespaceLabels(objects, namespace))
    : namespace === home;
  return isHome && selects(peer.podSelector, labels);
}

function isNamed(objects: readonly Json[], name: string, { to, protocol, port }: EvaluatedFlow): boolean {
  const ports = (podAt(objects, to)?.spec.containers ?? []).flatMap((container: Json) => container.ports ?? []);
  return ports.some(
    (each: Json) => each.name === name && (each.protocol ?? 'TCP') === protocol && each.containerPort === port,
  );
}

function isClusterPort(objects: readonly Json[], written: Json, flow: EvaluatedFlow): boolean {
  const { protocol, port } = flow;
  const name = written.namedPort ?? written.destinationNamedPort;
  if (name !== undefined) return isNamed(objects, name, flow);
  const one = written.portNumber;
  if (one) return (one.protocol ?? 'TCP') === protocol && one.port === port;
  const many = written.portRange;
  if (many) return (many.protocol ?? 'TCP') === protocol && many.start <= port && port <= many.end;
  const to = written[protocol.toLowerCase()]?.destinationPort;
  if (!to) return false;
  return to.number === port || (to.range !== undefined && to.range.start <= port && port <= to.range.end);
}

function isNetPort(objects: readonly Json[], written: Json, flow: EvaluatedFlow): boolean {
  if ((written.protocol ?? 'TCP') !== flow.protocol) return false;
  if (typeof written.port === 'string') return isNamed(objects, written.port, flow);
  if (written.port === undefined) return true;
  return written.port <= flow.port && flow.port <= (written.endPort ?? written.port);
}

function selects(selector: Json, labels: Json): boolean {
  const of = (key: string): string | undefined => (Object.hasOwn(labels ?? {}, key) ? labels[key] : undefined);
  const isAll = Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => of(key) === value);
  return (
    isAll &&
    (selector?.matchExpressions ?? []).every(({ key, operator, values }: Json) => {
      const value = of(key);
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const isAmong = value !== undefined && values.includes(value);
      return operator === 'In' ? isAmong : !isAmong;
    })
  );
}

function isIn(cidr: string, ip: string): boolean {
  const [network = '', length = '0'] = cidr.split('/');
  if (network.includes(':') !== ip.includes(':')) return false;
  const size = ip.includes(':') ? 128 : 32;
  const shift = BigInt(size - Number(length));
  return bitsOf(network) >> shift === bitsOf(ip) >> shift;
}

function bitsOf(ip: string): bigint {
  if (!ip.includes(':')) return ip.split('.').reduce((bits, part) => bits * 256n + BigInt(part), 0n);
  const [head = '', tail] = ip.split('::');
  const words = (text: string) => text.split(':').filter((word) => word !== '');
  const end = words(tail ?? '');
  const start = words(head);
  const gap = tail === undefined ? 0 : 8 - start.length - end.length;
  const all = [...start, ...Array.from({ length: gap }, () => '0'), ...end];
  return all.reduce((bits, word) => bits * 65536n + BigInt(`0x${word}`), 0n);
}
