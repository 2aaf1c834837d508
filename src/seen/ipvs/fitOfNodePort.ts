import type { TrafficPolicy } from '../ports/seenPort.ts';
import { type Fit, fitOf } from './fitOf.ts';
import type { NodePort } from './nodePorts.ts';
import type { FamilyDrafts, PortDraft, ServiceDraft } from './serviceDraft.ts';

/** How well a node port fits a port of a Service. `policy`: what is known about the Service's policy. */
export function fitOfNodePort(
  { loadBalancerIPs }: ServiceDraft,
  { protocol, servers, external }: PortDraft,
  nodePort: NodePort,
  policy: TrafficPolicy | undefined,
  { isLocal }: FamilyDrafts,
): Fit {
  if (protocol !== nodePort.protocol || (policy ?? nodePort.policy) !== nodePort.policy) return 0;
  // Load-balancer addresses lead to the same servers as the node port.
  if (external !== undefined && loadBalancerIPs.length > 0) return external.key === nodePort.servers.key ? 4 : 0;
  return fitOf(servers, nodePort.servers, nodePort.policy, (one) => isLocal(protocol, one));
}
