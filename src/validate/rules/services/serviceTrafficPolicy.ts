import type { Complain } from '../../fields/complain.ts';
import type { Manifest } from '../../kinds/manifest.ts';
import type { Manifests, ServiceObject } from '../../kinds/manifests.ts';

/** External traffic policy and health-check node port where they have a meaning; annotations of topology that agree. */
export function serviceTrafficPolicy(manifests: Manifests, complain: Complain): void {
  for (const service of manifests.services) {
    const { spec, metadata } = service.value;
    const isAccessible = isExternallyAccessible(service);
    if (spec.externalTrafficPolicy && !isAccessible) {
      complain(service, {
        code: 'misplaced-field',
        path: ['spec', 'externalTrafficPolicy'],
        message: 'is only allowed in a Service of type NodePort or LoadBalancer, or with externalIPs',
      });
    }
    const hasHealthCheck = spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
    if (spec.healthCheckNodePort && !hasHealthCheck) {
      complain(service, {
        code: 'misplaced-field',
        path: ['spec', 'healthCheckNodePort'],
        message: 'is only allowed in a Service of type LoadBalancer with externalTrafficPolicy Local',
      });
    }
    const hints = metadata.annotations?.['service.kubernetes.io/topology-aware-hints'];
    const mode = metadata.annotations?.[topologyMode];
    if (hints !== undefined && mode !== undefined && hints !== mode) {
      complain(service, {
        code: 'fields-disagree',
        path: ['metadata', 'annotations', topologyMode],
        message: 'must have the value of service.kubernetes.io/topology-aware-hints where both are given',
      });
    }
  }
}

const topologyMode = 'service.kubernetes.io/topology-mode';

function isExternallyAccessible(service: Manifest<ServiceObject>): boolean {
  const { type, externalIPs } = service.value.spec;
  if (type === 'NodePort' || type === 'LoadBalancer') return true;
  return type !== 'ExternalName' && Boolean(externalIPs?.length);
}
