import type { Protocol } from '../../common/addresses/protocol.ts';
import type { EndpointSources } from '../../resolve/endpoints/endpointSources.ts';
import { portOfPod } from '../../resolve/endpoints/portOfPod.ts';
import { hiddenBySome } from '../../resolve/hidingLabels.ts';
import { reasonWithoutRules } from '../../resolve/resolveServices.ts';
import { isFinished } from '../../validate/isFinished.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { Manifests, PodSpecObject, ServiceObject } from '../../validate/kinds/manifests.ts';
import type { ObjectProblem } from '../objectProblem.ts';
import { hasSelector } from './hasSelector.ts';

/**
 * K8N902: a targetPort by name that selected Pods do not have; where no Pod of the Service is given, the templates of
 * workloads are asked.
 */
export function namedTargetPorts(
  { services }: Pick<Manifests, 'services'>,
  sources: EndpointSources,
): readonly ObjectProblem[] {
  const asked = services.flatMap((service) => {
    const ports = (service.value.spec.ports ?? []).filter(({ targetPort }) => isName(targetPort));
    const isSelecting = hasSelector(service);
    return ports.length > 0 && isSelecting && reasonWithoutRules(service.value, hiddenBySome) === undefined
      ? [{ service, ports }]
      : [];
  });
  if (asked.length === 0) return [];
  return asked.flatMap(({ service, ports }) => {
    const namespace = namespaceOf(service);
    const selector = service.value.spec.selector ?? {};
    const running = sources
      .pods()
      .select(namespace, selector)
      .filter(({ value }) => !isFinished(value))
      .map((pod): Candidate => ({ spec: pod.value.spec, origin: pod.origin }));
    const templates = sources
      .workloads()
      .select(namespace, selector)
      .map((one): Candidate => ({ spec: one.value.spec.template?.spec, origin: one.origin }));
    const [candidates, what] = running.length > 0 ? [running, 'Pods'] : [templates, 'workloads'];
    return ports.flatMap(({ name, protocol, targetPort }, at) =>
      lacking(candidates, what, String(targetPort), protocol ?? 'TCP').map(({ seen, at: pods }): ObjectProblem => {
        return {
          code: 'K8N902',
          what: seen,
          service: `${namespace}/${service.value.metadata.name}${name ? `:${name}` : ''}`,
          places: [targetPortOrigin(service, at), ...pods],
        };
      }),
    );
  });
}

interface Candidate {
  readonly spec: PodSpecObject | null | undefined;
  readonly origin: Manifest<unknown>['origin'];
}

/** At most so many Pods are named. */
const mostNamed = 3;

function lacking(candidates: readonly Candidate[], what: string, port: string, protocol: Protocol) {
  const without = candidates.filter(({ spec }) => portOfPod(spec, port, protocol) === undefined);
  if (without.length === 0) return [];
  const all = without.length === candidates.length ? 'none' : `${candidates.length - without.length}`;
  const seen = `${all} of ${candidates.length} selected ${what} ${all === '1' ? 'has' : 'have'} a ${protocol} port named ${port}`;
  return [{ seen, at: without.slice(0, mostNamed).map(({ origin }) => origin) }];
}

function isName(targetPort: number | string | null | undefined): boolean {
  return typeof targetPort === 'string' && targetPort !== '';
}

function targetPortOrigin({ value, origin }: Manifest<ServiceObject>, named: number): Manifest<unknown>['origin'] {
  const ports = (value.spec.ports ?? []).flatMap(({ targetPort }, at) => (isName(targetPort) ? [at] : []));
  return { ...origin, path: [...origin.path, 'spec', 'ports', ports[named] as number, 'targetPort'] };
}

function namespaceOf({ value }: Manifest<{ readonly metadata: ServiceObject['metadata'] }>): string {
  return value.metadata.namespace ?? 'default';
}
