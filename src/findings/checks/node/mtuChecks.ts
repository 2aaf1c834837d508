import type { NetworkInterface } from '../../../node/networkFacts.ts';
import type { NodeRules } from '../../../node/nodeRules.ts';
import { isPodBridge, tunnelOf } from '../../../node/programs/tunnels.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';

/**
 * K8N523: Pods send packets that are too large for the tunnel to other nodes, or the tunnel's packets are too large for
 * the network below. Only the output of `ip addr` counts: a tunnel without an address is not in use.
 */
export function mtuChecks({ network }: NodeRules): readonly Finding[] {
  const { interfaces } = network;
  const findings: Finding[] = [];
  for (const tunnel of interfaces) {
    const kind = tunnelOf(tunnel.name);
    if (kind === undefined || kind.hasRouteMtu || tunnel.mtu === undefined || tunnel.addresses.length === 0) continue;
    const widest = widestOf(portsOfPods(interfaces));
    if (widest !== undefined && widest.mtu > tunnel.mtu) {
      findings.push(
        makeFinding('K8N523', {
          what: `${widest.name} takes packets of ${widest.mtu} bytes, and ${tunnel.name}, by which they go to other nodes, of ${tunnel.mtu}`,
        }),
      );
    }
    const uplink = widestOf(interfaces.filter((one) => isUplink(one, network.routes)));
    if (uplink !== undefined && tunnel.mtu + kind.overhead > uplink.mtu) {
      findings.push(
        makeFinding('K8N523', {
          what: `${tunnel.name} takes packets of ${tunnel.mtu} bytes and adds ${kind.overhead}, and ${uplink.name} below it takes ${uplink.mtu}`,
          fix: `Give ${tunnel.name} an MTU of ${uplink.mtu - kind.overhead} in the settings of the network plug-in, and start its Pods and those of the node again.`,
        }),
      );
    }
  }
  return findings;
}

type Sized = NetworkInterface & { readonly mtu: number };

function widestOf(interfaces: readonly NetworkInterface[]): Sized | undefined {
  const sized = interfaces.filter((one): one is Sized => one.mtu !== undefined);
  return sized.reduce<Sized | undefined>((widest, one) => (widest && widest.mtu >= one.mtu ? widest : one), undefined);
}

/**
 * The node's ends of the Pods' pairs: both ends of a pair usually have one size. If none is shown, the bridge counts.
 */
function portsOfPods(interfaces: readonly NetworkInterface[]): readonly NetworkInterface[] {
  const ends = interfaces.filter(({ name, master }) => isPodBridge(master ?? '') || /^cali[0-9a-f]/.test(name));
  return ends.length > 0 ? ends : interfaces.filter(({ name }) => isPodBridge(name));
}

function isUplink({ name }: NetworkInterface, routes: NodeRules['network']['routes']): boolean {
  return routes.some(({ destination, device }) => device === name && /\/0$/.test(destination));
}
