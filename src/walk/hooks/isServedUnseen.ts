import { onlyValue } from '../../common/ranges/valueSet.ts';
import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { protocolNumber } from '../../netfilter/iptables/values/protocols.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import { cached, type WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import type { WalkInput } from '../input/walkInput.ts';

/**
 * Whether IPVS probably has a virtual server for a packet that nothing shows: kube-proxy's sets hold its address and port,
 * or the port as a node port. Without the set of cluster IPs, its address is one of kube-ipvs0.
 */
export function isServedUnseen({ packet }: Flow, context: WalkContext): boolean {
  const { input } = context;
  if (!input.hidesServers) return false;
  const { doors, hasClusterIps } = cached(context, input.ipsets, () => readDoors(input));
  const [address, port, protocol] = [packet.destination, packet.destinationPort ?? [], packet.protocol].map(onlyValue);
  if (doors.has(`${address} ${port} ${protocol}`) || doors.has(`* ${port} ${protocol}`)) return true;
  if (hasClusterIps) return false;
  const own = input.topology.interfaces.get(ipvsDevice)?.addresses ?? [];
  return own.some((one) => one.address === address);
}

/** What kube-proxy's sets hold: `ADDRESS PORT PROTOCOL`, with `*` for every address of the node. */
function readDoors({ ipsets }: WalkInput): { readonly doors: ReadonlySet<string>; readonly hasClusterIps: boolean } {
  const doors = new Set<string>();
  let hasClusterIps = false;
  for (const { name, dimensions, members } of ipsets.values()) {
    const kind = proxySetKind(name);
    if (kind === undefined) continue;
    hasClusterIps ||= kind === 'CLUSTER-IP';
    const holds = dimensions.join();
    const protocol = nodePortProtocol(kind);
    for (const { parts } of members) {
      const [first, second] = parts;
      if (holds === 'ip,port') doors.add(`${first?.range.first} ${second?.range.first} ${second?.protocol}`);
      else if (holds === 'port' && protocol !== undefined) doors.add(`* ${first?.range.first} ${protocol}`);
    }
  }
  return { doors, hasClusterIps };
}

/** Sets of ports have one protocol each; that of SCTP holds addresses, too. */
function nodePortProtocol(kind: string): number | undefined {
  const [, name] = /^NODE-PORT-(?:LOCAL-)?(TCP|UDP)$/.exec(kind) ?? [];
  return name === undefined ? undefined : Number(protocolNumber(name.toLowerCase()));
}
