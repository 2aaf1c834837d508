import { addTo } from '../common/addTo.ts';
import { askByDialect, type ByDialect } from '../dialect/dialect.ts';
import type { ServicePlan } from '../plan/plan.ts';
import type { Topic } from './topic.ts';

/** What answers at a cluster IP, and why it is not a ping. */
export const clusterIP: Topic = {
  kind: 'node',
  title: 'What answers at a cluster IP',
  about: [
    'A cluster IP is not a machine. It exists only in the rules of every node, which translate connections to its protocols and ports to the address of a Pod; nothing else at the address exists. An echo request (ping) has no port, so that no rule for a Service applies to it.',
    'To see whether a Service works, connect to one of its ports; to see why not, look at its endpoints.',
  ],
  ofServices: (services, _plan, { dialect }) => {
    const byAddress = new Map<string, ServicePlan[]>();
    for (const service of services) addTo(byAddress, service.port.clusterIP, service);
    return [...byAddress].map(([ip, own]) => {
      const { namespace, name } = (own[0] as ServicePlan).port;
      return { heading: `${namespace}/${name} at ${ip}`, lines: [...own.map(answer), ...askByDialect(rest, dialect)] };
    });
  },
};

function answer({ port, protocol, internal, cluster, local }: ServicePlan): string {
  const count = (internal.over === 'local' ? local : cluster).length;
  const what = {
    balance: `answered by ${count === 1 ? 'its endpoint' : `one of ${count} endpoints`}${internal.over === 'local' ? ' of this node' : ''}`,
    reject: 'refused: the Service has no endpoint',
    drop: 'dropped: internalTrafficPolicy is Local, and this node has no endpoint',
  }[internal.kind];
  return `${port.port}/${protocol}: ${what}`;
}

const notThere = [
  'ping: no rule applies; it leaves by the default route, and no host has the address',
  'any other port: the same, the connection times out or a router refuses it',
];

/** Ping and other ports. */
const rest: ByDialect<[], readonly string[]> = {
  iptables: () => notThere,
  ipvs: ({ spelling }) =>
    spelling.filterParts.includes('accessFilter')
      ? ['ping: refused by KUBE-IPVS-FILTER, although the address is on kube-ipvs0', 'any other port: refused']
      : [
          'ping: answered by the node itself, which has the address on kube-ipvs0; that says nothing of Pods',
          'any other port: refused, or answered by what listens on the node on all addresses',
        ],
  nftables: () => ['ping: refused by the check for cluster IPs', 'any other port: refused by it too'],
  userspace: () => notThere,
};
