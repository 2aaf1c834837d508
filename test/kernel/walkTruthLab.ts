import type { LabNetwork } from '../../src/lab/network/labNetwork.ts';
import type { Lab } from '../../src/lab/openLab.ts';
import { type Namespace, openNamespace, type Sysctls } from '../../src/lab/openNamespace.ts';
import { runIn } from '../../src/lab/runIn.ts';
import type { NetworkPod } from '../../src/node/networkFacts.ts';

/**
 * A node (`n1`) with everything that packets can come by: two Pods on wires of their own, two on a bridge, and `far`,
 * which is everybody beyond eth0: the other node, its Pods, hosts outside. Marked packets have a routing table of their
 * own. Everybody listens on all ports that cases speak of, each address by itself, so that answers name it.
 */
export async function openTruthLab(): Promise<Lab> {
  const open: Namespace[] = [];
  const close = async () => {
    await Promise.all(open.map((namespace) => namespace.close()));
  };
  try {
    const names = Object.keys(addresses);
    for (const name of names) open.push(await openNamespace(name, name === 'n1' ? nodeSettings : settings));
    const machines = new Map(open.map((namespace) => [namespace.name, namespace]));
    const pid = (name: string) => machines.get(name)?.pid ?? 0;
    for (const [name, lines] of wiring(pid)) {
      await runIn(machines.get(name) as Namespace, ['ip', '-batch', '-'], `${lines.join('\n')}\n`);
    }
    await runIn(machines.get('n1') as Namespace, ['ip', '-6', 'rule', 'add', ...markedRule]);
    await Promise.all(open.map(serve));
    const network: LabNetwork = { nodes: [], pods: [], hosts: [] };
    return { network, machines, close };
  } catch (problem) {
    await close();
    throw problem;
  }
}

/** The Pods that `trace` is told of. */
export const truthPods: readonly NetworkPod[] = [
  { name: 'w1', ips: ['10.244.1.5', 'fd00:244:1::5'], node: 'n1', interface: 'veth1' },
  { name: 'w2', ips: ['10.244.1.6', 'fd00:244:1::6'], node: 'n1', interface: 'veth2' },
  { name: 'b1', ips: ['10.244.3.5', 'fd00:244:3::5'], node: 'n1', interface: 'vethb1' },
  { name: 'b2', ips: ['10.244.3.6', 'fd00:244:3::6'], node: 'n1', interface: 'vethb2' },
  { name: 'f1', ips: ['10.244.2.7', 'fd00:244:2::7'], node: 'n2' },
  { name: 'f2', ips: ['10.244.2.8', 'fd00:244:2::8'], node: 'n2' },
];

/** The machine of the lab that sends from an address, or from `node`. */
export function truthSender(from: string): string {
  if (from === 'node') return 'n1';
  const found = Object.entries(addresses).find(([, own]) => own.includes(from));
  if (found === undefined) throw new Error(`nobody in the lab has ${from}`);
  return found[0];
}

const addresses: Readonly<Record<string, readonly string[]>> = {
  n1: ['127.0.0.1', '::1', '192.168.10.1', 'fd00:10::1', '10.244.1.1', 'fd00:244:1::1', '10.244.3.1', 'fd00:244:3::1'],
  w1: ['10.244.1.5', 'fd00:244:1::5'],
  w2: ['10.244.1.6', 'fd00:244:1::6'],
  b1: ['10.244.3.5', 'fd00:244:3::5'],
  b2: ['10.244.3.6', 'fd00:244:3::6'],
  far: [
    '192.168.10.2',
    '192.168.10.3',
    '10.244.2.7',
    '10.244.2.8',
    '203.0.113.9',
    'fd00:10::2',
    'fd00:10::3',
    'fd00:244:2::7',
    'fd00:244:2::8',
    '2001:db8:113::9',
    '2001:db8:100::77',
    '2001:db8:100::7',
  ],
};

const ports = [53, 80, 443, 8080, 8081, 8082, 8083, 9000, 9999, 30080, 30443];

async function serve(namespace: Namespace): Promise<void> {
  const own = addresses[namespace.name] ?? [];
  const sockets = own.flatMap((address) =>
    ports.flatMap((port) => (['tcp', 'udp'] as const).map((protocol) => ({ address, port, protocol }))),
  );
  const answers = await Promise.all([
    ...sockets.map(({ protocol, address, port }) =>
      namespace.ask(
        'listen',
        protocol,
        address,
        port,
        address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`,
      ),
    ),
    // A raw socket that speaks SCTP does not say which address was asked.
    ...ports.map((port) => namespace.ask('listen', 'sctp', '-', port, '*')),
  ]);
  const failed = answers.find(([outcome]) => outcome !== 'ok');
  if (failed !== undefined) throw new Error(`a server of ${namespace.name}: ${failed.join(' ')}`);
}

const settings: Sysctls = {
  'net.ipv4.icmp_ratelimit': 0,
  'net.ipv4.icmp_ratemask': 0,
  'net.ipv6.icmp.ratelimit': 0,
  'net.ipv6.icmp.ratemask': '',
  'net.ipv6.conf.all.accept_dad': 0,
  'net.ipv6.conf.default.accept_dad': 0,
  'net.ipv6.conf.default.accept_ra': 0,
  'net.ipv4.conf.all.rp_filter': 0,
  'net.ipv4.conf.default.rp_filter': 0,
};

const nodeSettings: Sysctls = {
  ...settings,
  'net.ipv4.ip_forward': 1,
  'net.ipv6.conf.all.forwarding': 1,
  'net.ipv4.conf.all.send_redirects': 0,
  'net.ipv4.conf.default.send_redirects': 0,
  'net.bridge.bridge-nf-call-iptables': 1,
  'net.bridge.bridge-nf-call-ip6tables': 1,
};

const markedRule = ['fwmark', '0x100/0x100', 'lookup', '100', 'priority', '100'];

/** Lines for `ip -batch`, the node first: it hands everybody their end of the wire. */
function wiring(pid: (name: string) => number): readonly (readonly [string, readonly string[]])[] {
  const pods = ['w1', 'w2', 'b1', 'b2'];
  const isBridged = (name: string) => name.startsWith('b');
  const gateways = (name: string) =>
    isBridged(name) ? ['10.244.3.1', 'fd00:244:3::1'] : ['10.244.1.1', 'fd00:244:1::1'];
  const device = (name: string) => `veth${isBridged(name) ? name : name.slice(1)}`;
  const mac = (name: string) => `02:00:00:00:00:${[...pods, 'far'].indexOf(name) + 10}`;
  const wireMac = (name: string) => `02:00:00:00:01:${pods.indexOf(name) + 10}`;
  const bridgeMac = '02:00:00:00:00:02';
  const node = [
    `link add eth0 address 02:00:00:00:00:01 type veth peer name eth0 address ${mac('far')} netns ${pid('far')}`,
    'link set eth0 up',
    'address add 192.168.10.1/24 dev eth0',
    'address add fd00:10::1/64 dev eth0 nodad',
    `link add cni0 address ${bridgeMac} type bridge`,
    'link set cni0 up',
    'address add 10.244.3.1/24 dev cni0',
    'address add fd00:244:3::1/64 dev cni0 nodad',
    ...pods.flatMap((name) => {
      const wire = device(name);
      const neighbours = (addresses[name] ?? []).map(
        (own) => `neigh add ${own} lladdr ${mac(name)} dev ${isBridged(name) ? 'cni0' : wire} nud permanent`,
      );
      const made = `link add ${wire} address ${wireMac(name)} type veth peer name eth0 address ${mac(name)} netns ${pid(name)}`;
      if (isBridged(name)) {
        return [
          made,
          `link set ${wire} master cni0 up`,
          `link set ${wire} type bridge_slave hairpin on`,
          ...neighbours,
        ];
      }
      return [
        made,
        `link set ${wire} up`,
        `address add 10.244.1.1/32 dev ${wire}`,
        `address add fd00:244:1::1/128 dev ${wire} nodad`,
        ...(addresses[name] ?? []).map((own) => `route add ${own} dev ${wire}`),
        ...neighbours,
      ];
    }),
    ...['192.168.10.2', '192.168.10.3', 'fd00:10::2', 'fd00:10::3'].map(
      (own) => `neigh add ${own} lladdr ${mac('far')} dev eth0 nud permanent`,
    ),
    'route add 10.244.2.0/24 via 192.168.10.2',
    'route add fd00:244:2::/64 via fd00:10::2',
    'route add default via 192.168.10.3',
    'route add default via fd00:10::3',
    `rule add ${markedRule.join(' ')}`,
    'route add default via 192.168.10.3 table 100',
    'route add default via fd00:10::3 table 100',
  ];
  const podLines = (name: string) => [
    'link set eth0 up',
    ...(addresses[name] ?? []).map((own) => `address add ${own}/${prefix(own, isBridged(name))} dev eth0${nodad(own)}`),
    // Rules that drop what asks for neighbours are no case of their own.
    ...(isBridged(name) ? pods.filter((other) => isBridged(other) && other !== name) : []).flatMap((other) =>
      (addresses[other] ?? []).map((theirs) => `neigh add ${theirs} lladdr ${mac(other)} dev eth0 nud permanent`),
    ),
    ...gateways(name).flatMap((gateway) => [
      `neigh add ${gateway} lladdr ${isBridged(name) ? bridgeMac : wireMac(name)} dev eth0 nud permanent`,
      `route add default via ${gateway} dev eth0 onlink`,
    ]),
  ];
  const far = [
    'link set eth0 up',
    ...(addresses.far ?? []).map((own) => `address add ${own}/${prefix(own, false)} dev eth0${nodad(own)}`),
    ...['192.168.10.1', 'fd00:10::1'].flatMap((node) => [
      `neigh add ${node} lladdr 02:00:00:00:00:01 dev eth0 nud permanent`,
      `route add default via ${node} dev eth0 onlink`,
    ]),
  ];
  return [['n1', node], ...pods.map((name) => [name, podLines(name)] as const), ['far', far]];
}

function prefix(address: string, isNetwork: boolean): number {
  if (address.includes(':')) return isNetwork ? 64 : 128;
  return isNetwork ? 24 : 32;
}

/** An address of IPv6 is usable at once if nobody looks for doubles. */
function nodad(address: string): string {
  return address.includes(':') ? ' nodad' : '';
}
