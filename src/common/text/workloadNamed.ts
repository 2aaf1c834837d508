/** `deploy/shop/web` and `sts/shop/db`, as kubectl abbreviates kinds; `deploy/web` is one of the namespace default. */
export function workloadNamed(text: string): { readonly kind: string; readonly id: string } | undefined {
  const [, word = '', namespace = 'default', name = ''] = /^([a-z]+)[:/](?:([^/]+)\/)?([^/]+)$/.exec(text) ?? [];
  const kind = kindOfWorkload(word);
  return kind === undefined ? undefined : { kind, id: `${namespace}/${name}` };
}

/** `Deployment` for `deploy`; undefined: no word for a kind of workloads. */
export function kindOfWorkload(word: string): string | undefined {
  return Object.hasOwn(kinds, word) ? kinds[word] : undefined;
}

const kinds: Readonly<Record<string, string>> = {
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
