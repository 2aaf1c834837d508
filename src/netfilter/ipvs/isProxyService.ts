import type { VirtualService } from './ast.ts';

/** Whether kube-proxy may have made a virtual service: its own have an address, and masquerade to every server. */
export function isProxyService({ address, servers }: VirtualService): boolean {
  return address.kind === 'address' && servers.every(({ forward }) => forward === 'masquerade');
}
