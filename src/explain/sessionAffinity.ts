import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import { firstFew } from '../common/text/firstFew.ts';
import type { Endpoint } from '../model/endpoint.ts';
import type { ServicePlan } from '../plan/plan.ts';
import { servicePortName } from '../plan/servicePortName.ts';
import type { Topic } from './topic.ts';

/** How long a client stays with one endpoint. */
export const sessionAffinity: Topic = {
  kind: 'node',
  title: 'Which endpoint a client gets, now and later',
  about: [
    'Without session affinity every new connection is given to an endpoint by itself. With sessionAffinity ClientIP a client keeps its endpoint as long as it comes back in time: 10800 seconds (three hours), or sessionAffinityConfig.clientIP.timeoutSeconds.',
    'A client is its source address as the node sees it. What was masqueraded on the way, by another node, a load balancer or a gateway, is one client. Each node remembers by itself, and so does each port of a Service: a client may have one Pod at port 80 and another at 443.',
    'Open connections do not care: they stay where they are until they end.',
  ],
  ofServices: (services, _plan, { model }) =>
    services.map((service) => ({
      heading: `${servicePortName(service.port)} at ${service.port.clusterIP}:${service.port.port}`,
      lines: service.affinitySeconds === undefined ? withoutAffinity(service) : overTime(service, model.config.mode),
    })),
};

function withoutAffinity({ cluster }: ServicePlan): readonly string[] {
  if (cluster.length === 0) return ['no session affinity, and no endpoint that could be chosen'];
  return [`no session affinity: each connection goes to ${oneOf(cluster)}`];
}

function overTime(service: ServicePlan, mode: ProxyMode): readonly string[] {
  const seconds = service.affinitySeconds ?? 0;
  const { cluster } = service;
  if (cluster.length === 0) return [`ClientIP for ${seconds} s, and no endpoint that could be chosen`];
  return [
    `at first: ${oneOf(cluster)}`,
    `again, up to ${seconds} s ${counted[mode]}: the same endpoint`,
    `later than that: chosen anew${cluster.length > 1 ? `, the same one with a chance of 1 in ${cluster.length}` : ''}`,
    'if the endpoint goes away in between: another one at once',
    remembers[mode],
  ];
}

/** From when the time runs. */
const counted: Readonly<Record<ProxyMode, string>> = {
  iptables: "after the client's last new connection",
  ipvs: 'after its last connection is forgotten by IPVS',
  nftables: "after the client's last new connection",
  userspace: "after the client's last new connection",
};

const remembers: Readonly<Record<ProxyMode, string>> = {
  iptables:
    'remembered in a list for each endpoint (xt_recent; /proc/net/xt_recent), of 100 clients unless the module is loaded with another ip_list_tot',
  ipvs: 'remembered as a template of the virtual server (ipvsadm -Lnc shows it)',
  nftables: 'remembered in a set for each endpoint, with a timeout (nft list table ip kube-proxy)',
  userspace: 'remembered by the process of kube-proxy: forgotten when it restarts',
};

function oneOf(endpoints: readonly Endpoint[]): string {
  const addresses = endpoints.map(({ address }) => address);
  const all = firstFew(addresses, 5);
  return endpoints.length === 1 ? all : `one of ${all}, each with a chance of 1 in ${endpoints.length}`;
}
