import { checkNetwork } from '../../fields/addresses.ts';
import type { Complain } from '../../fields/complain.ts';
import type { Manifests } from '../../kinds/manifests.ts';

/** spec.loadBalancerSourceRanges, or the annotation of the same meaning where the field is not given. */
export function serviceSourceRanges(manifests: Manifests, complain: Complain): void {
  for (const service of manifests.services) {
    const { spec, metadata } = service.value;
    const ranges = spec.loadBalancerSourceRanges ?? [];
    const annotated = ranges.length === 0 ? metadata.annotations?.[annotation] : undefined;
    if (ranges.length === 0 && annotated === undefined) continue;
    const path =
      annotated === undefined ? ['spec', 'loadBalancerSourceRanges'] : ['metadata', 'annotations', annotation];
    if (spec.type !== 'LoadBalancer') {
      const message = 'is only allowed in a Service of type LoadBalancer';
      complain(service, { code: 'misplaced-field', path, message, part: 'key' });
    }
    // Blanks around a range are allowed since the days of the annotation.
    for (const [index, range] of ranges.entries()) checkNetwork(service, [...path, index], range.trim(), complain);
    if (annotated === undefined || annotated.trim() === '') continue;
    for (const range of annotated.split(',')) checkNetwork(service, path, range.trim(), complain);
  }
}

const annotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';
