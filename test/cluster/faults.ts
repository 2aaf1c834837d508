import { runIn } from '../../src/lab/runIn.ts';
import { runningStatus, type Shop, webAddress, webAddress6, webService } from './openShop.ts';

/** Something that keeps a client from the Service shop/web, planted into a healthy cluster. */
export interface Fault {
  readonly name: string;
  /** Changes one thing; what it returns takes that back. */
  readonly plant: (shop: Shop) => Promise<() => Promise<unknown>>;
  /** The first cause that check-service names. */
  readonly cause: RegExp;
  /** The Pod that feels it: some of its connections fail. Without one, nobody in the cluster does what the fault forbids. */
  readonly feltBy?: 'client-1' | 'client-2';
  /** Where; default: the cluster IP of IPv4. */
  readonly feltAt?: string;
}

const services = '/api/v1/namespaces/shop/services';
const pods = '/api/v1/namespaces/shop/pods';

/** A fault of objects: a merge patch and the one that undoes it. */
function patched(path: string, change: object, back: object): Fault['plant'] {
  return async ({ api }) => {
    await api.patch(path, change);
    return () => api.patch(path, back);
  };
}

function targetPort(wrong: string | number): Fault['plant'] {
  const ports = (target: string | number) => ({
    spec: { ports: [{ name: 'http', port: 80, targetPort: target }, webService.spec.ports[1]] },
  });
  return patched(`${services}/web`, ports(wrong), ports('http'));
}

function created(path: string, object: { readonly metadata: { readonly name: string } }): Fault['plant'] {
  return async ({ api }) => {
    await api.create(path, object);
    return () => api.remove(`${path}/${object.metadata.name}`);
  };
}

/** A fault of a node: kube-proxy is started anew afterwards, which makes a full sync. */
function onNode(at: 0 | 1, script: string, back = ''): Fault['plant'] {
  return async ({ nodes }) => {
    const node = nodes[at];
    if (node === undefined) throw new Error('no such node');
    await runIn(node.namespace, ['bash', '-ec', script]);
    return async () => {
      if (back !== '') await runIn(node.namespace, ['bash', '-ec', back]);
      await node.restart();
    };
  };
}

const denyAll = {
  metadata: { name: 'deny' },
  spec: { podSelector: {}, policyTypes: ['Ingress'] },
};

const fromTeam = {
  metadata: { name: 'team' },
  spec: {
    podSelector: { matchLabels: { app: 'web' } },
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: 'shop' } } }] }],
  },
};

const policies = '/apis/networking.k8s.io/v1/namespaces/shop/networkpolicies';

const objectFaults: readonly Fault[] = [
  {
    name: 'the selector matches no Pod',
    plant: patched(`${services}/web`, { spec: { selector: { app: 'wbe' } } }, { spec: { selector: { app: 'web' } } }),
    cause: /selector of Service shop\/web finds no Pod/,
    feltBy: 'client-1',
  },
  {
    name: 'no container names the target port',
    plant: targetPort('htpt'),
    cause: /htpt/,
    feltBy: 'client-1',
  },
  {
    name: 'no Pod is ready',
    plant: async ({ api }) => {
      const set = (isReady: boolean) =>
        Promise.all([
          api.patch(`${pods}/web-1/status`, { status: runningStatus('10.244.1.7', isReady) }),
          api.patch(`${pods}/web-2/status`, { status: runningStatus('10.244.2.7', isReady) }),
        ]);
      await set(false);
      return () => set(true);
    },
    cause: /None of the 2 Pods .* is ready/,
    feltBy: 'client-1',
  },
  {
    name: 'containers of the Pods crash',
    plant: async ({ api }) => {
      const state = (name: string, at: string, status: object) =>
        api.patch(`${pods}/${name}/status`, { status: { ...runningStatus(at, false), ...status } });
      const waiting = [
        {
          name: 'web',
          ready: false,
          restartCount: 7,
          image: 'web',
          imageID: '',
          state: { waiting: { reason: 'CrashLoopBackOff' } },
        },
      ];
      await state('web-1', '10.244.1.7', { containerStatuses: waiting });
      await state('web-2', '10.244.2.7', { containerStatuses: waiting });
      return () =>
        Promise.all([
          api.patch(`${pods}/web-1/status`, {
            status: { ...runningStatus('10.244.1.7', true), containerStatuses: null },
          }),
          api.patch(`${pods}/web-2/status`, {
            status: { ...runningStatus('10.244.2.7', true), containerStatuses: null },
          }),
        ]);
    },
    cause: /CrashLoopBackOff/,
    feltBy: 'client-1',
  },
  {
    name: 'a policy lets nobody in',
    plant: created(policies, denyAll),
    cause: /NetworkPolicy shop\/deny/,
  },
  {
    name: 'the Namespace lacks the label that a policy asks for',
    plant: created(policies, fromTeam),
    cause: /team=shop/,
  },
  {
    name: 'the target port is one on which no container listens',
    plant: targetPort(8081),
    cause: /8081/,
    feltBy: 'client-1',
  },
];

/** On the first node: iptables mode. */
const iptablesFaults: readonly Fault[] = [
  {
    name: 'a chain of the Service is gone',
    plant: onNode(
      0,
      `svc=$(iptables-save -t nat | sed -n 's#^-A KUBE-SERVICES -d ${webAddress}/32 .* --dport 80 -j \\(KUBE-SVC-[A-Z0-9]*\\)$#\\1#p')
iptables-save -t nat | grep -- "^-A KUBE-SERVICES .* -j $svc$" | sed 's/^-A/-D/' | while read -r rule; do eval "iptables -t nat $rule"; done
iptables -t nat -F "$svc"; iptables -t nat -X "$svc"`,
    ),
    cause: /on node n1: /,
    feltBy: 'client-1',
  },
  {
    name: 'the rules that translate are gone',
    plant: onNode(
      0,
      `iptables-save -t nat | grep -E '^-A KUBE-SEP-.*DNAT.*10.244.[12].7:8080' | sed 's/^-A/-D/' | while read -r rule; do eval "iptables -t nat $rule"; done`,
    ),
    cause: /on node n1: KUBE-SEP-\S+ does not translate/,
    feltBy: 'client-1',
  },
  {
    name: 'nothing jumps to the rules of kube-proxy',
    plant: onNode(
      0,
      `iptables -t nat -S PREROUTING | grep KUBE-SERVICES | sed 's/^-A/-D/' | while read -r rule; do eval "iptables -t nat $rule"; done`,
    ),
    cause: /on node n1: .*(?:PREROUTING|KUBE-SERVICES)/,
    feltBy: 'client-1',
  },
  {
    name: 'a rule of another program drops what goes to the Pods',
    plant: onNode(
      0,
      'iptables -I FORWARD -p tcp --dport 8080 -m comment --comment hardening -j DROP',
      'iptables -D FORWARD -p tcp --dport 8080 -m comment --comment hardening -j DROP',
    ),
    cause: /on node n1: .*FORWARD/,
    feltBy: 'client-1',
  },
  {
    name: 'the node does not forward',
    plant: onNode(0, 'sysctl -qw net.ipv4.ip_forward=0', 'sysctl -qw net.ipv4.ip_forward=1'),
    cause: /ip_forward/,
    feltBy: 'client-1',
  },
  {
    name: 'the node cannot reach the other node’s Pods',
    plant: onNode(
      0,
      'ip route replace unreachable 10.244.2.0/24; ip route del 10.244.2.0/24 via 192.168.77.12 || true',
      'ip route del unreachable 10.244.2.0/24; ip route add 10.244.2.0/24 via 192.168.77.12',
    ),
    cause: /on node n1: .*(?:unreachable|route)/,
    feltBy: 'client-1',
  },
  {
    name: 'conntrack keeps a flow on a Pod that is gone',
    // A kube-proxy that runs removes such flows with its next sync.
    plant: async (shop) => {
      const [node] = shop.nodes;
      await node?.stop();
      const plant = onNode(
        0,
        `conntrack -I -p udp -s 10.244.1.9 --sport 40000 -d ${webAddress} --dport 443 --dst-nat 10.244.1.99:8443 -t 3600`,
        'conntrack -D -p udp --orig-port-dst 443',
      );
      return plant(shop);
    },
    cause: /on node n1: .*10\.244\.1\.99/,
  },
  {
    name: 'kube-proxy stopped before the endpoints changed',
    plant: async ({ nodes: [node], api }) => {
      if (node === undefined) throw new Error('no such node');
      await node.stop();
      await api.patch(`${pods}/web-1/status`, { status: runningStatus('10.244.1.7', false) });
      return async () => {
        await api.patch(`${pods}/web-1/status`, { status: runningStatus('10.244.1.7', true) });
        await node.restart();
      };
    },
    cause: /on node n1: .*10\.244\.1\.7/,
  },
];

/** Of IPv6 alone: the other family is in order. */
const ipv6Faults: readonly Fault[] = [
  {
    name: 'a chain of IPv6 is empty',
    plant: onNode(
      0,
      `svc=$(ip6tables-save -t nat | sed -n 's#^-A KUBE-SERVICES -d ${webAddress6}/128 .* --dport 80 -j \\(KUBE-SVC-[A-Z0-9]*\\)$#\\1#p')
ip6tables -t nat -F "$svc"`,
    ),
    cause: /on node n1: /,
    feltBy: 'client-1',
    feltAt: webAddress6,
  },
  {
    name: 'an element of the map of Services is gone, of IPv6',
    plant: onNode(1, `nft delete element ip6 kube-proxy service-ips '{ ${webAddress6} . tcp . 80 }'`),
    cause: /on node n2: /,
    feltBy: 'client-2',
    feltAt: webAddress6,
  },
  {
    name: 'a rule of another program drops what goes to the Pods by IPv6',
    plant: onNode(
      0,
      'ip6tables -I FORWARD -p tcp --dport 8080 -m comment --comment hardening -j DROP',
      'ip6tables -D FORWARD -p tcp --dport 8080 -m comment --comment hardening -j DROP',
    ),
    cause: /on node n1: .*FORWARD/,
    feltBy: 'client-1',
    feltAt: webAddress6,
  },
  {
    name: 'the node does not forward IPv6',
    plant: onNode(0, 'sysctl -qw net.ipv6.conf.all.forwarding=0', 'sysctl -qw net.ipv6.conf.all.forwarding=1'),
    cause: /forwarding/,
    feltBy: 'client-1',
    feltAt: webAddress6,
  },
];

/** On the second node: nftables mode. */
const nftablesFaults: readonly Fault[] = [
  {
    name: 'an element of the map of Services is gone',
    plant: onNode(1, `nft delete element ip kube-proxy service-ips '{ ${webAddress} . tcp . 80 }'`),
    cause: /on node n2: /,
    feltBy: 'client-2',
  },
  {
    name: 'the chain of the Service is empty',
    plant: onNode(
      1,
      `chain=$(nft list map ip kube-proxy service-ips | grep -o 'service-[A-Z0-9]*-shop/web/tcp/http' | sort -u); nft flush chain ip kube-proxy "$chain"`,
    ),
    cause: /on node n2: /,
    feltBy: 'client-2',
  },
  {
    name: 'the table of kube-proxy is gone',
    plant: onNode(1, 'nft delete table ip kube-proxy'),
    cause: /on node n2: /,
    feltBy: 'client-2',
  },
  {
    name: 'another table drops everything forwarded',
    plant: onNode(
      1,
      "nft add table inet guard; nft add chain inet guard forward '{ type filter hook forward priority 10; policy drop; }'",
      'nft delete table inet guard',
    ),
    cause: /on node n2: .*guard/,
    feltBy: 'client-2',
  },
  {
    name: 'the policy of FORWARD is DROP',
    plant: onNode(1, 'iptables -P FORWARD DROP', 'iptables -P FORWARD ACCEPT'),
    cause: /on node n2: .*FORWARD/,
    feltBy: 'client-2',
  },
  {
    name: 'rules of iptables mode were left when the mode changed',
    plant: async ({ nodes: [old, node] }) => {
      if (old === undefined || node === undefined) throw new Error('no such node');
      const rules = await runIn(old.namespace, ['iptables-save', '-t', 'nat']);
      await runIn(node.namespace, ['iptables-restore', '--noflush'], rules);
      return () => runIn(node.namespace, ['bash', '-c', 'iptables -t nat -F; iptables -t nat -X']);
    },
    cause: /on node n2: .*iptables/,
  },
];

export const faults: readonly Fault[] = [...objectFaults, ...iptablesFaults, ...ipv6Faults, ...nftablesFaults];
