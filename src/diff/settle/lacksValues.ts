import type { CompileInput } from '../../pipeline/compile.ts';

/**
 * Whether manifests lack values that only a cluster knows: some Service has no cluster IP, node port or load-balancer
 * address, or there are no endpoints of any kind. The output of `kubectl get services,endpointslices -A -o json` lacks
 * nothing.
 */
export function lacksValues(objects: CompileInput['objects']): boolean {
  let hasServices = false;
  let hasEndpoints = false;
  for (const { kind, value } of objects) {
    if (kind === 'EndpointSlice' || kind === 'Endpoints' || kind === 'Pod') hasEndpoints = true;
    if (kind !== 'Service') continue;
    hasServices = true;
    if (lacksAddress(value)) return true;
  }
  return hasServices && !hasEndpoints;
}

function lacksAddress({ spec, status }: Readonly<Record<string, unknown>>): boolean {
  const { type, clusterIP, clusterIPs, ports } = (spec ?? {}) as Record<string, unknown>;
  if (type === 'ExternalName' || clusterIP === 'None') return false;
  if (!clusterIP && !(Array.isArray(clusterIPs) && clusterIPs.length > 0)) return true;
  if (type !== 'NodePort' && type !== 'LoadBalancer') return false;
  const hasNodePorts = Array.isArray(ports) && ports.every((port) => (port as Record<string, unknown>)?.nodePort);
  return (!hasNodePorts && type === 'NodePort') || (type === 'LoadBalancer' && status === undefined);
}
