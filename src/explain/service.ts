import { ipPort } from '../common/addresses/ipPort.ts';
import { addTo } from '../common/addTo.ts';
import { firstFew } from '../common/text/firstFew.ts';
import { readLabelSelector, selectsLabels } from '../model/labelSelector.ts';
import type { PortOfService, Service } from '../model/service.ts';
import { nameOf, namespaceOf } from '../validate/fields/describe.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { PodObject, ServiceObject } from '../validate/kinds/manifests.ts';
import { hidesLabels, hidesSelector, isRow } from '../validate/shown/shownInPart.ts';
import type { Topic } from './topic.ts';
import { waysIn, waysInput } from './waysIn.ts';

/** What a Service is, who answers, and how it is reached: what kubectl describes, and what follows from it. */
export const service: Topic = {
  kind: 'cluster',
  title: 'What a Service is, who answers, and how it can be reached',
  about: [
    'A Service is one name and one virtual address for whatever endpoints it has at the time. Its selector applies to Pods of its own namespace, and all of its labels must match; it does not matter which controller created a Pod. Endpoints are the Pods that are ready.',
    'Inside the cluster it is reached by its name or cluster IP. From outside it can be reached only through node ports, a load balancer, external IPs or an Ingress. Nothing else answers at the cluster IP: no ping, and no other port.',
  ],
  ofCluster: (services, cluster) => {
    const { manifests } = cluster;
    const objects = new Map(manifests.services.map((manifest) => [nameOf(manifest.value.metadata), manifest]));
    const pods = podsByLabel(manifests.pods);
    const unlabelled = new Set(manifests.pods.filter(hidesLabels).map(({ value }) => namespaceOf(value.metadata)));
    const ways = waysInput(cluster);
    return services.map((one) => {
      const manifest = objects.get(one.id);
      const isInPart = isRow(manifest?.detail);
      return {
        heading: `${one.id}: ${one.kind === 'headless' ? 'headless' : one.type}`,
        lines: [
          ...selected(one, manifest, pods, unlabelled),
          ...addressOf(one),
          ...one.ports.flatMap((port) => portLines(one, port, isInPart && one.endpoints.length === 0)),
          ...(isInPart ? ['session affinity: not shown'] : affinity(one)),
          ...waysIn(one, manifest?.value, ways),
        ],
      };
    });
  },
};

type PodsByLabel = ReadonlyMap<string, readonly PodObject[]>;

function podsByLabel(pods: readonly Manifest<PodObject>[]): PodsByLabel {
  const found = new Map<string, PodObject[]>();
  for (const { value } of pods) {
    const namespace = namespaceOf(value.metadata);
    for (const label of Object.entries(value.metadata.labels ?? {})) addTo(found, labelKey(namespace, label), value);
  }
  return found;
}

function labelKey(namespace: string, [key, value]: readonly [string, string]): string {
  return `${namespace}\0${key}\0${value}`;
}

function selected(
  { namespace }: Service,
  manifest: Manifest<ServiceObject> | undefined,
  byLabel: PodsByLabel,
  unlabelled: ReadonlySet<string>,
): readonly string[] {
  const labels = manifest?.value.spec.selector ?? {};
  const pairs = Object.entries(labels);
  if (manifest !== undefined && hidesSelector(manifest)) return ['selector: not shown (kubectl get services -o wide)'];
  if (pairs.length === 0) return ['selects no Pods: its endpoints are created by hand or by another controller'];
  const selector = readLabelSelector({ matchLabels: labels });
  const lists = pairs.map((pair) => byLabel.get(labelKey(namespace, pair)) ?? []);
  const pods = lists
    .reduce((least, list) => (list.length < least.length ? list : least))
    .filter(({ metadata }) => selectsLabels(selector, metadata.labels ?? {}))
    .map(({ metadata }) => metadata.name);
  const shown =
    pods.length === 0
      ? unlabelled.has(namespace)
        ? 'labels of Pods are not shown (kubectl get pods -o wide --show-labels)'
        : 'no Pod of the input'
      : `${pods.length === 1 ? 'Pod' : 'Pods'} ${firstFew(pods, mostShown)}`;
  return [`selects ${selector.text}: ${shown}`];
}

function addressOf({ kind, clusterIPs, externalName }: Service): readonly string[] {
  switch (kind) {
    case 'clusterIP':
      return [`cluster IP ${clusterIPs.join(' and ')}`];
    case 'headless':
      return ['no cluster IP: its name stands for the addresses of its endpoints, and kube-proxy has no rules for it'];
    case 'externalName':
      return [`no cluster IP: its name is an alias of ${externalName}, and kube-proxy has no rules for it`];
    case 'unallocated':
      return ['no cluster IP yet'];
  }
}

function portLines({ endpoints, kind }: Service, port: PortOfService, isHidden: boolean): readonly string[] {
  if (kind === 'externalName') return [];
  const { name, protocol, targetPort, nodePort } = port;
  const own = endpoints.flatMap(({ address, isReady, ports }) =>
    ports
      .filter((one) => one.name === name && one.protocol === protocol)
      .map((one) => ({ isReady, text: one.port === undefined ? address : ipPort(address, one.port) })),
  );
  // Two slices may hold one, as for a while when the controller moves it.
  const texts = (are: boolean) => [...new Set(own.flatMap(({ isReady, text }) => (isReady === are ? text : [])))];
  const [ready, others] = [texts(true), texts(false)];
  const target = targetPort === port.port ? '' : ` to ${targetPort}`;
  const node = nodePort === 0 ? '' : `, node port ${nodePort}`;
  return [
    `port ${name === '' ? '<unset>' : name} ${port.port}/${protocol}${target}${node}: ${isHidden ? 'endpoints not shown' : ready.length === 0 ? 'no endpoints' : firstFew(ready, mostShown)}`,
    ...(others.length === 0 ? [] : [`  not ready: ${firstFew(others, mostShown)}`]),
  ];
}

function affinity({ affinitySeconds, kind }: Service): readonly string[] {
  if (kind !== 'clusterIP') return [];
  return affinitySeconds === undefined
    ? ['session affinity None: each connection goes to any endpoint']
    : [`session affinity ClientIP: a client keeps its endpoint for ${affinitySeconds} s`];
}

const mostShown = 10;
