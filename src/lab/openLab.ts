import type { LabNetwork, NodeMachine, OutsideHost, PodMachine } from './network/labNetwork.ts';
import { wiringOf } from './network/wiring.ts';
import { type Namespace, openNamespace, type Sysctls } from './openNamespace.ts';
import { runIn } from './runIn.ts';

/** A network that runs: one namespace a machine. */
export interface Lab {
  readonly network: LabNetwork;
  readonly machines: ReadonlyMap<string, Namespace>;
  readonly close: () => Promise<void>;
}

/** Makes all namespaces, wires them and starts the servers. Close it at the end; it also ends with this process. */
export async function openLab(network: LabNetwork): Promise<Lab> {
  const { nodes, pods, hosts } = network;
  const open: Namespace[] = [];
  const close = async () => {
    await Promise.all(open.map((namespace) => namespace.close()));
  };
  const make = async (name: string, sysctls: Sysctls) => {
    const namespace = await openNamespace(name, sysctls);
    open.push(namespace);
    return namespace;
  };
  const made = await Promise.allSettled([
    make('LAN', hostSysctls),
    ...nodes.map(({ name }) => make(name, nodeSysctls(network))),
    ...[...pods, ...hosts].map(({ name }) => make(name, hostSysctls)),
  ]);
  try {
    const [lan, ...others] = made.map((each) => {
      if (each.status === 'rejected') throw each.reason;
      return each.value;
    });
    const lab = { network, machines: new Map(others.map((namespace) => [namespace.name, namespace])), close };
    const wiring = wiringOf(network, (name) => machine(lab, name).pid);
    // A device arrives in a namespace by its process id, so the middle comes first.
    await configure(lan as Namespace, wiring.lan);
    for (const machines of [wiring.nodes, wiring.others]) {
      await Promise.all([...machines].map(([name, lines]) => configure(machine(lab, name), lines)));
    }
    await Promise.all(open.map(settle));
    await Promise.all([...nodes, ...pods, ...hosts].map((member) => serve(machine(lab, member.name), member)));
    return lab;
  } catch (problem) {
    await close();
    throw problem;
  }
}

export function machine(lab: Pick<Lab, 'machines'>, name: string): Namespace {
  const found = lab.machines.get(name);
  if (found === undefined) throw new Error(`the lab has no machine ${name}`);
  return found;
}

/** ICMP errors are never limited: a limit turns a refusal into a timeout. Addresses of IPv6 are usable at once. */
const hostSysctls: Sysctls = {
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

function nodeSysctls(network: LabNetwork): Sysctls {
  const bridging = { 'net.bridge.bridge-nf-call-iptables': 1, 'net.bridge.bridge-nf-call-ip6tables': 1 };
  return {
    ...hostSysctls,
    'net.ipv4.ip_forward': 1,
    'net.ipv6.conf.all.forwarding': 1,
    'net.ipv4.conf.all.send_redirects': 0,
    'net.ipv4.conf.default.send_redirects': 0,
    ...(network.podNetwork === 'bridged' ? bridging : {}),
  };
}

async function configure(namespace: Namespace, lines: readonly string[]): Promise<void> {
  await runIn(namespace, ['ip', '-batch', '-'], `${lines.join('\n')}\n`);
}

/** Until then the kernel drops what is sent: a bridge and a wire are up some time after both of their ends are. */
async function settle(namespace: Namespace): Promise<void> {
  const [outcome, ...words] = await namespace.ask('settle');
  if (outcome !== 'ok') throw new Error(`the network of ${namespace.name}: ${words.join(' ')}`);
}

async function serve(namespace: Namespace, member: NodeMachine | PodMachine | OutsideHost): Promise<void> {
  const answers = await Promise.all(
    (member.servers ?? []).map(({ protocol, port, name = member.name, address = '-' }) =>
      namespace.ask('listen', protocol, address, port, name),
    ),
  );
  const failed = answers.find(([outcome]) => outcome !== 'ok');
  if (failed !== undefined) throw new Error(`a server of ${member.name}: ${failed.join(' ')}`);
}
