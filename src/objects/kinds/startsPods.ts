/**
 * An object of a kind that is not read may start Pods and make Services, so that nothing can be missed in its namespace:
 * CronJobs, and whatever has a controller of its own.
 */
export function startsPods(apiVersion: string, kind: string): boolean {
  if (kind === 'CronJob') return true;
  const group = apiVersion.split('/')[0] ?? '';
  return group.includes('.') && !/\.(?:x-)?k8s\.io$/.test(group) && !settingsOnly.test(kind);
}

/** Common kinds that only set something up for what is there. */
const settingsOnly =
  /(?:Monitor|Rule|Probe|Policy|Pool|Certificate|Issuer|Secret|SecretStore|VirtualService|DestinationRule|Entry|Sidecar|Filter|Middleware|Route|Configuration|Affinity|Peer)$/;
