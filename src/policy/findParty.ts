import type { Family } from '../common/family.ts';
import { canonicalIp, familyOf } from '../common/ip.ts';
import { memoized } from '../common/memoized.ts';
import type { PolicyModel, PolicyNode, PolicyPod } from '../model/policyModel.ts';
import type { Judge, Party } from './verdict.ts';

/** Someone that a user named, not yet with an address. */
export type PartyName =
  | { readonly kind: 'pod'; readonly pod: PolicyPod }
  | { readonly kind: 'node'; readonly node: PolicyNode }
  | { readonly kind: 'ip'; readonly ip: string };

/**
 * Finds whom a text means: `namespace/name` a pod (`pod/namespace/name` too), `deploy/namespace/name` a pod of a
 * workload, which policies treat alike, `node:NAME` or `node/NAME` a node, `external` some address outside the cluster,
 * else an address. Undefined: no one.
 */
export function findParty(model: PolicyModel, text: string): PartyName | undefined {
  const ip = text === 'external' ? externalAddress : canonicalIp(text);
  if (ip !== undefined) return { kind: 'ip', ip };
  const [, nodeName] = /^node[:/](.+)$/.exec(text) ?? [];
  if (nodeName !== undefined) {
    const node = nodesByName(model.nodes).get(nodeName);
    return node && { kind: 'node', node };
  }
  const workload = workloadNamed(text);
  // A namespace may be called `deploy` too.
  const pods = podsById(model.pods);
  if (workload !== undefined && !pods.has(text)) {
    const own = model.workloads.find(({ kind, id }) => kind === workload.kind && id === workload.id);
    const pod = own?.pods.find(({ ips }) => ips.length > 0) ?? own?.pods[0];
    return pod && { kind: 'pod', pod };
  }
  const pod = pods.get(text.replace(/^pod[:/]/, ''));
  return pod && { kind: 'pod', pod };
}

/** Two Pods of two clusters may have one name: the first is meant. */
const podsById = memoized((pods: readonly PolicyPod[]) => new Map([...pods].reverse().map((pod) => [pod.id, pod])));
const nodesByName = memoized((nodes: readonly PolicyNode[]) => new Map(nodes.map((node) => [node.name, node])));

/** `deploy/shop/web` and `sts/shop/db`, as kubectl abbreviates kinds; `deploy/web` is one of the namespace default. */
export function workloadNamed(text: string): { readonly kind: string; readonly id: string } | undefined {
  const [, short = '', namespace = 'default', name = ''] = /^([a-z]+)[:/](?:([^/]+)\/)?([^/]+)$/.exec(text) ?? [];
  const kind = Object.hasOwn(workloadKinds, short) ? workloadKinds[short] : undefined;
  return kind === undefined ? undefined : { kind, id: `${namespace}/${name}` };
}

const workloadKinds: Readonly<Record<string, string>> = {
  deploy: 'Deployment',
  deployment: 'Deployment',
  deployments: 'Deployment',
  sts: 'StatefulSet',
  statefulset: 'StatefulSet',
  statefulsets: 'StatefulSet',
  ds: 'DaemonSet',
  daemonset: 'DaemonSet',
  daemonsets: 'DaemonSet',
  rs: 'ReplicaSet',
  replicaset: 'ReplicaSet',
  replicasets: 'ReplicaSet',
  rc: 'ReplicationController',
  replicationcontroller: 'ReplicationController',
  job: 'Job',
  jobs: 'Job',
};

export function partyIn(judge: Judge, name: PartyName, family: Family): Party | undefined {
  switch (name.kind) {
    case 'pod':
      return judge.partyOfPod(name.pod, family);
    case 'node':
      return judge.partyOfNode(name.node, family);
    case 'ip':
      return familyOf(name.ip) === family ? judge.partyAt(name.ip) : undefined;
  }
}

/** TEST-NET-3 (RFC 5737): an address that no cluster has, for "somewhere outside". */
const externalAddress = '203.0.113.1';
