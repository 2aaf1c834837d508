import { namesMeant } from '../common/namesMeant.ts';
import { count } from '../common/text/count.ts';
import { didYouMean } from '../common/text/didYouMean.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Cluster } from '../model/cluster.ts';
import type { Service } from '../model/service.ts';
import { hasSelector } from '../objects/services/hasSelector.ts';
import type { LintedObjects } from '../pipeline/lint.ts';
import { endpointSources } from '../resolve/endpoints/endpointSources.ts';
import { hidingLabels, labelThatHides } from '../resolve/hidingLabels.ts';
import { nameOf } from '../validate/fields/describe.ts';
import { isFinished } from '../validate/isFinished.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { PodObject } from '../validate/kinds/manifests.ts';
import type { AidCause } from './aidCause.ts';
import type { AskedService } from './askedService.ts';

/** Whether the objects have the Service and its port. */
export type FoundService =
  | { readonly kind: 'found'; readonly asked: AskedService }
  | { readonly kind: 'cause'; readonly cause: AidCause }
  /** The objects hold no Service of its namespace: nothing can be said. */
  | { readonly kind: 'unknown'; readonly sentence: string };

export function findService(
  { cluster, compiled }: LintedObjects,
  diagnostics: readonly Diagnostic[],
  id: string,
  port: string | undefined,
  has: Pick<AskedService, 'hasAllSlices' | 'hasAllPods' | 'hasAllPolicies'>,
): FoundService {
  const service = cluster.services.find((each) => each.id === id);
  const manifest = cluster.manifests.services.find(({ value }) => nameOf(value.metadata) === id);
  if (service === undefined || manifest === undefined) return missing(cluster, id, has.hasAllSlices);
  const isAsked = (name: string, number: number) => port === undefined || name === port || String(number) === port;
  const ports = service.ports.filter((each) => isAsked(each.name, each.port));
  if (ports.length === 0 && port !== undefined && service.kind !== 'externalName') {
    const offered = service.ports.map((each) => (each.name === '' ? `${each.port}` : `${each.name} (${each.port})`));
    return {
      kind: 'cause',
      cause: {
        code: 'no-such-port',
        what: `Service ${id} has no port ${port}: it has ${offered.join(', ') || 'none'}.${portMeant(service, port)}`,
        evidence: [{ kind: 'object', text: `Service ${id}`, origin: service.origin }],
        fix: `Ask for a port that it has, or add ${port} to spec.ports: \`kubectl -n ${service.namespace} edit service ${service.name}\`.`,
        nodes: [],
      },
    };
  }
  const servicePorts = compiled.model.servicePorts.filter(
    (each) => `${each.namespace}/${each.name}` === id && isAsked(each.portName, each.port),
  );
  const sources = endpointSources(cluster.manifests);
  const selector = manifest.value.spec.selector ?? {};
  const pods = podsOf(cluster, service.namespace, selector, sources.pods(), has.hasAllPods);
  const hiding = hidingLabels[compiled.dialect.plan.hidingLabels];
  const hidingLabel = service.kind === 'clusterIP' ? labelThatHides(manifest.value, hiding.services) : undefined;
  const all = { ...has, hasAllSlices: has.hasAllSlices || holdsAllSlices(cluster, sources) };
  return {
    kind: 'found',
    asked: {
      service,
      manifest,
      ports,
      servicePorts,
      hidingLabel,
      pods,
      sources,
      ...all,
      cluster,
      compiled,
      diagnostics,
    },
  };
}

/**
 * The API server has a slice of `kubernetes`, and the control plane makes one for every Service that selects Pods, an empty one
 * too: objects with all of these are a whole listing, and a Service without a selector that has none there has none.
 */
function holdsAllSlices({ manifests }: Cluster, sources: AskedService['sources']): boolean {
  const known = sources.slices();
  const awaited = manifests.services.filter((one) => one.value.spec.type !== 'ExternalName' && hasSelector(one));
  return known.has('default/kubernetes') && awaited.every(({ value }) => known.has(nameOf(value.metadata)));
}

/** The name may be that of a port of the Pods, or a misspelled one of the Service. */
function portMeant({ ports, endpoints }: Service, asked: string): string {
  const behind = ports.find(
    ({ name, protocol, targetPort }) =>
      String(targetPort) === asked ||
      endpoints.some((end) =>
        end.ports.some((one) => one.name === name && one.protocol === protocol && String(one.port) === asked),
      ),
  );
  if (behind !== undefined) return ` ${asked} is the port of its Pods, behind port ${behind.port}.`;
  const near = didYouMean(
    asked,
    ports.flatMap(({ name }) => (name === '' ? [] : name)),
  );
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

function podsOf(
  { manifests }: Cluster,
  namespace: string,
  selector: Readonly<Record<string, string>>,
  index: {
    readonly select: (namespace: string, selector: Readonly<Record<string, string>>) => readonly Manifest<PodObject>[];
  },
  hasAllPods: boolean,
): readonly Manifest<PodObject>[] | undefined {
  const isGiven =
    hasAllPods || manifests.pods.some(({ value }) => (value.metadata.namespace || 'default') === namespace);
  if (!isGiven || Object.keys(selector).length === 0) return undefined;
  return index.select(namespace, selector).filter(({ value }) => !isFinished(value));
}

/** Files of one namespace say nothing of the Services of another; a cluster that was read whole does. */
function missing({ services, manifests }: Cluster, id: string, isWhole: boolean): FoundService {
  const namespace = id.slice(0, id.indexOf('/'));
  const near = namesMeant(
    id,
    services.map((each) => each.id),
  );
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
  const known = services.filter((each) => each.namespace === namespace).length;
  if (known === 0 && !isWhole) {
    const what = services.length === 0 ? 'no Service' : `no Service of namespace ${namespace}`;
    return { kind: 'unknown', sentence: `the objects hold ${what}.${hint}` };
  }
  return {
    kind: 'cause',
    cause: {
      code: 'no-such-service',
      what: `There is no Service ${id}: ${isWhole ? ofCluster(namespace, known, manifests) : `the objects hold ${known} of namespace ${namespace}, and none of this name`}.${hint}`,
      evidence: [],
      fix: `Compare the names: \`kubectl get services -A\`.`,
      nodes: [],
    },
  };
}

function ofCluster(namespace: string, known: number, { namespaces }: Cluster['manifests']): string {
  if (known > 0) return `the cluster has ${count(known, 'Service')} in namespace ${namespace}, and none of this name`;
  const isThere = namespaces.length === 0 || namespaces.some(({ value: { metadata } }) => metadata.name === namespace);
  return isThere
    ? `namespace ${namespace} of the cluster has no Services`
    : `the cluster has no namespace ${namespace}`;
}
