import type { IpvsDialect } from '../../dialect/ipvs/ipvsDialect.ts';
import type { IpvsConfig } from '../../model/proxyConfig.ts';

/**
 * Kernel settings of IPVS mode, in kube-proxy's order. (It also turns conn_reuse_mode off, through 1.18 on every kernel,
 * later on kernels from 4.1 to 5.8, where that setting loses connections: kubernetes#81775.)
 */
export function ipvsSysctls(
  config: IpvsConfig,
  dialect: IpvsDialect,
): readonly { readonly name: string; readonly value: string }[] {
  const settings: (readonly [string, string])[] = [];
  if (dialect.routesLocalnet) settings.push(['net.ipv4.conf.all.route_localnet', '1']);
  settings.push(
    // Without it MASQUERADE does not see the connections of IPVS.
    ['net.ipv4.vs.conntrack', '1'],
    ['net.ipv4.vs.expire_nodest_conn', '1'],
    ['net.ipv4.vs.expire_quiescent_template', '1'],
    ['net.ipv4.ip_forward', '1'],
  );
  if (dialect.strictARP === 'always' || config.strictARP) {
    settings.push(['net.ipv4.conf.all.arp_ignore', '1'], ['net.ipv4.conf.all.arp_announce', '2']);
  }
  return settings.map(([name, value]) => ({ name, value }));
}
