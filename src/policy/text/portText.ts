import type { NetPolicyPort } from '../../model/netPolicy.ts';

/** A port in words. */
export function portText(port: NetPolicyPort | undefined): string {
  if (port === undefined) return 'no port';
  const protocol = port.protocol?.toLowerCase();
  if (port.kind === 'named') return protocol === undefined ? `port ${port.name}` : `port ${port.name}/${protocol}`;
  if (port.first === 0 && port.last === 65535) return `all ${protocol} ports`;
  return port.first === port.last ? `port ${port.first}/${protocol}` : `ports ${port.first}-${port.last}/${protocol}`;
}
