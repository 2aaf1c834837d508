import { onlyValue } from '../common/ranges/valueSet.ts';
import { isPodBridge, tunnelOf } from '../node/programs/tunnels.ts';
import type { Ended } from '../walk/hooks/walkHook.ts';
import type { Topology, WalkInterface, WalkPod } from '../walk/input/topology.ts';
import { addressText } from '../walk/values/text.ts';
import type { TracePacket } from './question/tracePacket.ts';

/** One step of a packet that no rule decides: from a Pod to the node's rules, or from these to the next node. */
export interface WireStep {
  readonly text: string;
  /** Nothing shows it: most nodes have it. */
  readonly isAssumed: boolean;
}

/** As a line of a trace. */
export function wireText({ text, isAssumed }: WireStep): string {
  return `   wire: ${text}${isAssumed ? ' (assumed)' : ''}`;
}

/** How a packet gets from its Pod to the rules; empty: it comes from elsewhere. */
export function wireIn({ source, inInterface }: TracePacket, topology: Topology): readonly WireStep[] {
  const pod = topology.pods.find(({ addresses }) => addresses.includes(source));
  if (pod === undefined || inInterface === undefined || isElsewhere(pod, topology)) return [];
  if (tunnelOf(inInterface) !== undefined) return [];
  const bridge = topology.interfaces.get(inInterface);
  const isBridge = bridge?.isBridge === true || isPodBridge(inInterface);
  const gateway = bridge?.addresses.find(({ address }) => typeof address === typeof source)?.address;
  const neighbour = typeof source === 'bigint' ? 'neighbor discovery' : 'ARP';
  const port = portOf(pod, bridge, topology);
  const end = port === undefined ? 'a veth pair' : `the veth pair of ${port}`;
  const asked = gateway === undefined ? 'its gateway' : `its gateway ${addressText(gateway)}`;
  return isBridge
    ? [
        {
          text: `${pod.name} finds ${asked} by ${neighbour} and sends by its eth0, ${end}; bridge ${inInterface} hands it to the node`,
          isAssumed: port === undefined,
        },
      ]
    : [
        {
          text: `${pod.name} sends by its eth0, ${inInterface.startsWith('eth') ? 'a veth pair' : `the veth pair of ${inInterface}`}; no bridge is in between`,
          isAssumed: topology.assumed.has('interfaces'),
        },
      ];
}

/** How a packet continues from the node that it was walked on; empty: unknown. */
export function wireOut({ flow, end }: Ended, topology: Topology): readonly WireStep[] {
  const destination = onlyValue(flow.packet.destination);
  const device = flow.outInterface;
  if (end.kind !== 'leaves' || destination === undefined || device === undefined) return [];
  const pod = topology.pods.find(({ addresses }) => addresses.includes(destination));
  const tunnel = tunnelOf(device);
  if (pod !== undefined && !isElsewhere(pod, topology))
    return tunnel === undefined ? toOwnPod(pod, device, topology) : [];
  if (tunnel === undefined) return [];
  const host = pod?.node === undefined ? undefined : topology.hosts.find(({ name }) => name === pod.node);
  const outer = host?.addresses.find((address) => typeof address === 'number') ?? host?.addresses[0];
  const own = ownAddress(topology, device);
  const ends = `${own === undefined ? 'this node' : addressText(own)} → ${outer === undefined ? (pod?.node ?? 'the node of that Pod') : addressText(outer)}`;
  const there = pod?.node ?? 'the other node';
  return [
    {
      text: `${device} wraps it in ${tunnel.carrier}, ${ends}${tunnel.port === undefined ? '' : `:${tunnel.port}`}`,
      isAssumed: false,
    },
    {
      text: `${there} unwraps it: it enters the rules there by its ${device}, is no longer for a Service, and goes on to the Pod`,
      isAssumed: true,
    },
  ];
}

function toOwnPod(pod: WalkPod, device: string, topology: Topology): readonly WireStep[] {
  const isBridge = topology.interfaces.get(device)?.isBridge === true || isPodBridge(device);
  if (!isBridge) return [];
  const port = portOf(pod, topology.interfaces.get(device), topology);
  return [
    {
      text: `bridge ${device} hands it to ${port ?? 'the veth pair'} of ${pod.name}`,
      isAssumed: port === undefined,
    },
  ];
}

function isElsewhere({ node }: WalkPod, topology: Topology): boolean {
  return node !== undefined && topology.node !== undefined && node !== topology.node;
}

/** The port of a bridge that leads to the Pod, where facts name it. */
function portOf(pod: WalkPod, bridge: WalkInterface | undefined, { interfaces }: Topology): string | undefined {
  const own = pod.interface === undefined ? undefined : interfaces.get(pod.interface);
  return own !== undefined && own.bridge === bridge?.name ? own.name : undefined;
}

function ownAddress({ interfaces }: Topology, tunnel: string) {
  for (const { name, addresses, isBridge } of interfaces.values()) {
    if (name === 'lo' || name === tunnel || isBridge || isPodBridge(name) || tunnelOf(name)) continue;
    const own = addresses.find(({ address, scope }) => typeof address === 'number' && scope === 'global');
    if (own !== undefined) return own.address;
  }
  return undefined;
}
