import { ipPort } from '../common/ipPort.ts';
import type { Cluster } from '../model/cluster.ts';
import { readLabelSelector, selectsLabels } from '../model/labelSelector.ts';
import type { PortOfService, Service } from '../model/service.ts';
import { nameOf, namespaceOf } from '../validate/describe.ts';
import type { ServiceObject } from '../validate/manifests.ts';
import type { Topic } from './topic.ts';
import { waysIn } from './waysIn.ts';

/** What a Service is, who answers, and how it is reached: what kubectl describes, and what follows from it. */
export const service: Topic = {
  kind: 'cluster',
  title: 'What a Service is, who answers, and how it can be reached',
  about: [
    'A Service is one name and one virtual address for whatever endpoints it has at the time. Its selector is asked of Pods of its own namespace, and all of its labels have to match; which controller made a Pod does not matter. Endpoints are the Pods that are ready.',
    'Inside the cluster it is reached by its name or cluster IP. From outside it is only if it has node ports, a load balancer or external IPs, or an Ingress leads to it. Nothing else answers at the cluster IP: no ping, and no other port.',
  ],
  ofService: (one, cluster) => {
    const object = cluster.manifests.services.find(({ value }) => nameOf(value.metadata) === one.id)?.value;
    return {
      heading: `${one.id}: ${one.kind === 'headless' ? 'headless' : one.type}`,
      lines: [
        ...selected(one, object, cluster),
        ...addressOf(one),
        ...one.ports.flatMap((port) => portLines(one, port)),
        ...affinity(one),
        ...waysIn(one, object, cluster),
      ],
    };
  },
};

function selected(
  { namespace }: Service,
  object: ServiceObject | undefined,
  { manifests }: Cluster,
): readonly string[] {
  const labels = object?.spec.selector ?? {};
  if (Object.keys(labels).length === 0) return ['selects no Pods: its endpoints are written by somebody else'];
  const selector = readLabelSelector({ matchLabels: labels });
  const own = manifests.pods.filter(({ value }) => namespaceOf(value.metadata) === namespace);
  const pods = own
    .filter(({ value }) => selectsLabels(selector, value.metadata.labels ?? {}))
    .map(({ value }) => value.metadata.name);
  const shown = pods.length === 0 ? 'no Pod of the input' : `${pods.length === 1 ? 'Pod' : 'Pods'} ${listed(pods)}`;
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

function portLines({ endpoints, kind }: Service, port: PortOfService): readonly string[] {
  if (kind === 'externalName') return [];
  const { name, protocol, targetPort, nodePort } = port;
  const own = endpoints.flatMap(({ address, isReady, ports }) =>
    ports
      .filter((one) => one.name === name && one.protocol === protocol)
      .map((one) => ({ isReady, text: one.port === undefined ? address : ipPort(address, one.port) })),
  );
  const ready = own.filter(({ isReady }) => isReady).map(({ text }) => text);
  const others = own.filter(({ isReady }) => !isReady).map(({ text }) => text);
  const target = targetPort === port.port ? '' : ` to ${targetPort}`;
  const node = nodePort === 0 ? '' : `, node port ${nodePort}`;
  return [
    `port ${name === '' ? '<unset>' : name} ${port.port}/${protocol}${target}${node}: ${ready.length === 0 ? 'no endpoints' : listed(ready)}`,
    ...(others.length === 0 ? [] : [`  not ready: ${listed(others)}`]),
  ];
}

function affinity({ affinitySeconds, kind }: Service): readonly string[] {
  if (kind !== 'clusterIP') return [];
  return affinitySeconds === undefined
    ? ['session affinity None: each connection goes to any endpoint']
    : [`session affinity ClientIP: a client keeps its endpoint for ${affinitySeconds} s`];
}

function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, mostShown).join(', ');
  return texts.length > mostShown ? `${shown} and ${texts.length - mostShown} more` : shown;
}

const mostShown = 10;
