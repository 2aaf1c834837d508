import type { SeenEndpoint } from '../model/seenServices.ts';

/** Adds an endpoint that rules show; what two of its rules show is true of it together. */
export function addEndpoint(found: Map<string, SeenEndpoint>, endpoint: SeenEndpoint): void {
  const key = `${endpoint.ip} ${endpoint.port}`;
  const known = found.get(key);
  found.set(key, {
    ...endpoint,
    isInCluster: endpoint.isInCluster || known?.isInCluster === true,
    isLocal: endpoint.isLocal || known?.isLocal === true,
  });
}
