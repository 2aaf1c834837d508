import { count } from '../common/text/count.ts';
import { firstFew } from '../common/text/firstFew.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Evidence } from '../diagnostics/problem.ts';
import { formatKubeVersion } from '../dialect/version.ts';
import type { PortOfService } from '../model/service.ts';
import { hasSelector } from '../objects/services/hasSelector.ts';
import { isSeenSlice } from '../resolve/endpoints/isSeenSlice.ts';
import { portOfPod, servingContainers } from '../resolve/endpoints/portOfPod.ts';
import { hidingLabels, labelThatHides } from '../resolve/hidingLabels.ts';
import { nameOf } from '../validate/fields/describe.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { PodObject } from '../validate/kinds/manifests.ts';
import type { AidCause } from './aidCause.ts';
import type { AskedService } from './askedService.ts';
import { podCommands, whyNotReady } from './podState.ts';

/**
 * Why ports of the Service have no endpoint that gets connections: the first reason of each, from the selector on. A port
 * that has one in any family is in order.
 */
export function endpointCauses(asked: AskedService): readonly AidCause[] {
  const { service, ports } = asked;
  if (service.kind === 'externalName' || !knowsEndpoints(asked)) return [];
  const dead = ports.filter((port) => !hasUsable(asked, port));
  if (service.ports.length === 0 && service.endpoints.every(({ isReady }) => !isReady)) return [reasonOf(asked, [])];
  if (dead.length === 0) return [];
  return [reasonOf(asked, dead)];
}

/** Manifests of a repository have no endpoints: only the cluster knows them. */
export function knowsEndpoints({ service, sources, pods, hasAllSlices }: AskedService): boolean {
  return hasAllSlices || sources.slices().has(service.id) || sources.endpoints().has(service.id) || pods !== undefined;
}

/** Since 1.26 kube-proxy also uses endpoints that go away and still serve, where there are no others. */
export function hasUsable(asked: AskedService, port: PortOfService): boolean {
  const { service, servicePorts, hidingLabel, compiled } = asked;
  if (service.kind !== 'clusterIP' || hidingLabel !== undefined) {
    return service.endpoints.some(
      ({ isReady, ports }) =>
        isReady && ports.some(({ name, protocol }) => name === port.name && protocol === port.protocol),
    );
  }
  const { usesTerminating } = compiled.dialect.plan;
  return servicePorts.some(
    ({ portName, protocol, endpoints }) =>
      portName === port.name &&
      protocol === port.protocol &&
      endpoints.some(
        ({ isReady, isServing, isTerminating }) => isReady || (usesTerminating && isServing && isTerminating),
      ),
  );
}

function reasonOf(asked: AskedService, dead: readonly PortOfService[]): AidCause {
  return (
    noneSelected(asked) ??
    noneReady(asked) ??
    hiddenSlices(asked) ??
    unnamedTarget(asked, dead) ??
    otherPortName(asked, dead) ??
    withoutReason(asked)
  );
}

/** The selector finds nobody. */
function noneSelected({ service, manifest, pods, diagnostics, cluster }: AskedService): AidCause | undefined {
  const selector = Object.entries(manifest.value.spec.selector ?? {});
  if (pods === undefined || pods.length > 0 || selector.length === 0) return undefined;
  const labels = selector.map(([key, value]) => `${key}=${value}`).join(',');
  const said = diagnostics.find(({ code, at }) => code === 'selector-matches-nothing' && isAt(at[0], service.origin));
  const inNamespace = cluster.manifests.pods.filter(
    ({ value }) => (value.metadata.namespace || 'default') === service.namespace,
  ).length;
  return {
    code: 'selector',
    what: `The selector of Service ${service.id} finds no Pod: ${inNamespace === 0 ? `namespace ${service.namespace} has none` : `none of the ${inNamespace} of namespace ${service.namespace} has the labels ${labels}`}.`,
    evidence: [
      objectEvidence(`Service ${service.id} selects ${labels}`, {
        ...service.origin,
        path: [...service.origin.path, 'spec', 'selector'],
      }),
      ...(said?.hint === undefined ? [] : [{ kind: 'fact', text: said.hint } as const]),
    ],
    fix:
      inNamespace === 0
        ? `See what should start them: \`kubectl -n ${service.namespace} get deployments,statefulsets,daemonsets\`.`
        : `Give the Pods these labels, or the Service their labels: \`kubectl -n ${service.namespace} get pods --show-labels\`, \`kubectl -n ${service.namespace} edit service ${service.name}\`.`,
    nodes: [],
    detail: 'selector-matches-nothing',
  };
}

/** Pods are there, and none is ready. */
function noneReady({ service, pods }: AskedService): AidCause | undefined {
  const states = (pods ?? []).map((pod) => ({ pod, why: whyNotReady(pod.value) }));
  if (states.length === 0 || states.some(({ why }) => why === undefined)) return undefined;
  const [first] = states;
  return {
    code: 'pods-not-ready',
    what:
      states.length === 1
        ? `The only Pod of Service ${service.id} is not ready: ${first?.why}.`
        : `None of the ${states.length} Pods of Service ${service.id} is ready.`,
    evidence: states.slice(0, mostShown).map(({ pod, why }) => podEvidence(pod, why ?? '')),
    fix: first === undefined ? '' : `See why: ${podCommands(first.pod.value)}.`,
    nodes: [],
  };
}

/** A label hides all EndpointSlices that have endpoints. */
function hiddenSlices({ service, sources, compiled }: AskedService): AidCause | undefined {
  const hiding = hidingLabels[compiled.dialect.plan.hidingLabels];
  const slices = (sources.slices().get(service.id) ?? []).filter(({ value }) => (value.endpoints ?? []).length > 0);
  const [first] = slices;
  const label = first && labelThatHides(first.value, hiding.slices);
  if (service.kind !== 'clusterIP' || label === undefined || slices.some((slice) => isSeenSlice(slice, hiding)))
    return undefined;
  return {
    code: 'no-endpoints',
    what: `kube-proxy ${formatKubeVersion(compiled.kubeVersion)} reads no EndpointSlice of Service ${service.id}: the label ${label} leaves ${slices.length === 1 ? 'the only one' : 'them'} to another proxy.`,
    evidence: slices
      .slice(0, mostShown)
      .map(({ value, origin }) => objectEvidence(`EndpointSlice ${value.metadata.name}: ${label}`, origin)),
    fix: `If there is no other proxy, remove the label: \`kubectl -n ${service.namespace} label endpointslice ${first?.value.metadata.name} ${label}-\`. A controller copies labels of the Service to its slices.`,
    nodes: [],
    detail: 'no-endpoints',
  };
}

/** A named target port that no ready Pod has. */
function unnamedTarget({ service, pods }: AskedService, dead: readonly PortOfService[]): AidCause | undefined {
  const ready = (pods ?? []).filter(({ value }) => whyNotReady(value) === undefined);
  if (ready.length === 0) return undefined;
  const unnamed = dead.filter(
    ({ targetPort, protocol }) =>
      typeof targetPort === 'string' &&
      ready.every(({ value }) => portOfPod(value.spec, targetPort, protocol) === undefined),
  );
  const [port] = unnamed;
  if (port === undefined) return undefined;
  const offered = [...new Set(ready.flatMap(({ value }) => namedPorts(value)))];
  return {
    code: 'target-port-name',
    what: `No Pod of Service ${service.id} has a port named ${port.targetPort}, which is the targetPort of ${portName(port)}: ${offered.length === 0 ? 'their containers name none' : `they name ${firstFew(offered, 6)}`}.`,
    evidence: [
      ...unnamed.map((each) =>
        objectEvidence(`targetPort: ${each.targetPort}`, {
          ...service.origin,
          path: [...service.origin.path, 'spec', 'ports', service.ports.indexOf(each), 'targetPort'],
        }),
      ),
      ...ready.slice(0, 2).map((pod) => podEvidence(pod, `names ${namedPorts(pod.value).join(', ') || 'no port'}`)),
    ],
    fix: `Set targetPort to a name or number of a container port, or name the port in the Pods: \`kubectl -n ${service.namespace} edit service ${service.name}\`.`,
    nodes: [],
    detail: 'named-port-missing',
  };
}

/** EndpointSlices have addresses, under another name of the port. */
function otherPortName({ service, sources }: AskedService, dead: readonly PortOfService[]): AidCause | undefined {
  const [port] = dead;
  const slices = (sources.slices().get(service.id) ?? []).filter(({ value }) => (value.endpoints ?? []).length > 0);
  const other = slices.find(({ value }) => (value.ports ?? []).length > 0);
  if (port === undefined || other === undefined) return undefined;
  const isNamed = slices.some(({ value }) =>
    value.ports?.some(({ name, protocol }) => (name ?? '') === port.name && (protocol ?? 'TCP') === port.protocol),
  );
  if (isNamed) return undefined;
  const names = (other.value.ports ?? []).map(({ name, protocol }) => `${name || '(no name)'}/${protocol ?? 'TCP'}`);
  return {
    code: 'port-name',
    detail: 'K8N901',
    what: `The endpoints of Service ${service.id} are for ports ${names.join(', ')}, and the Service calls its port ${port.name || '(no name)'}/${port.protocol}: kube-proxy joins them by name.`,
    evidence: [
      objectEvidence(`EndpointSlice ${other.value.metadata.name} names ${names.join(', ')}`, {
        ...other.origin,
        path: [...other.origin.path, 'ports'],
      }),
      objectEvidence(`Service ${service.id} names ${port.name || '(no name)'}`, {
        ...service.origin,
        path: [...service.origin.path, 'spec', 'ports', service.ports.indexOf(port)],
      }),
    ],
    fix: `Give both the same name: \`kubectl -n ${service.namespace} edit endpointslice ${other.value.metadata.name}\`, \`kubectl -n ${service.namespace} edit service ${service.name}\`.`,
    nodes: [],
  };
}

function withoutReason({ service, manifest, sources, pods }: AskedService): AidCause {
  const slices = sources.slices().get(service.id) ?? [];
  const { all } = countEndpoints(service);
  const ready = (pods ?? []).filter(({ value }) => whyNotReady(value) === undefined);
  const get = `\`kubectl -n ${service.namespace} get endpointslices -l kubernetes.io/service-name=${service.name} -o yaml\``;
  const evidence: readonly Evidence[] = slices
    .slice(0, mostShown)
    .map(({ value, origin }) =>
      objectEvidence(
        `EndpointSlice ${value.metadata.name}: ${count((value.endpoints ?? []).length, 'endpoint')}`,
        origin,
      ),
    );
  if (ready.length > 0) {
    return {
      code: 'no-endpoints',
      what: `${count(ready.length, 'Pod')} of Service ${service.id} ${ready.length === 1 ? 'is' : 'are'} ready, and no EndpointSlice has ${ready.length === 1 ? 'it' : 'them'}: the controller that writes EndpointSlices is behind, or does not run.`,
      evidence: [...evidence, ...ready.slice(0, 2).map((pod) => podEvidence(pod, 'is ready'))],
      fix: `Look at the slices and at the controller: ${get}, \`kubectl -n kube-system get pods -l component=kube-controller-manager\`.`,
      nodes: [],
      detail: 'no-endpoints',
    };
  }
  const what = all > 0 ? `has ${count(all, 'endpoint')}, and none is ready` : 'has no endpoints';
  return {
    code: 'no-endpoints',
    what: `Service ${service.id} ${what}: ${service.kind === 'headless' ? 'its DNS name leads to no address' : 'kube-proxy refuses its connections'}.`,
    evidence: [...evidence, objectEvidence(`Service ${service.id}`, service.origin)],
    fix: hasSelector(manifest)
      ? `See the Pods that it selects: \`kubectl -n ${service.namespace} describe service ${service.name}\`, \`kubectl -n ${service.namespace} get pods -o wide --show-labels\`.`
      : `It has no selector, so somebody makes its EndpointSlices, or an Endpoints object of which the control plane makes them: ${get}, \`kubectl -n ${service.namespace} get endpoints ${service.name} -o yaml\`.`,
    nodes: [],
    detail: 'no-endpoints',
  };
}

/** Addresses: one that two slices hold, as for a while when the controller moves it, is one for kube-proxy, too. */
export function countEndpoints({ endpoints }: AskedService['service']): {
  readonly all: number;
  readonly ready: number;
} {
  const addresses = (some: typeof endpoints) => new Set(some.map(({ address }) => address)).size;
  return { all: addresses(endpoints), ready: addresses(endpoints.filter(({ isReady }) => isReady)) };
}

const mostShown = 5;

function objectEvidence(text: string, origin: AskedService['service']['origin']): Evidence {
  return { kind: 'object', text, origin };
}

function podEvidence({ value: { metadata }, origin }: Manifest<PodObject>, what: string): Evidence {
  return objectEvidence(`Pod ${nameOf(metadata)}: ${what}`, origin);
}

function portName({ name, port }: PortOfService): string {
  return name === '' ? `port ${port}` : `port ${name}`;
}

function namedPorts({ spec }: PodObject): readonly string[] {
  return servingContainers(spec).flatMap(({ ports }) => (ports ?? []).flatMap(({ name }) => (name ? [name] : [])));
}

function isAt(at: Diagnostic['at'][number] | undefined, origin: Diagnostic['at'][number]): boolean {
  return (
    at !== undefined &&
    at.file === origin.file &&
    at.document === origin.document &&
    at.path.slice(0, origin.path.length).join() === origin.path.join()
  );
}
