import { addTo } from '../../../common/addTo.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import type { BridgePort, NodeRules } from '../../../node/nodeRules.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';

/** K8N403: Pods behind ports of a bridge that do not send packets back where they came from. One finding a bridge. */
export function hairpinOff({ bridgePorts }: Pick<NodeRules, 'bridgePorts'>): readonly Finding[] {
  const bridges = new Map<string, BridgePort[]>();
  for (const port of bridgePorts) if (port.isVeth && !isForeign.test(port.bridge)) addTo(bridges, port.bridge, port);
  // Docker's bridge holds Pods only on old nodes, which have no other bridge.
  if (bridges.size > 1) bridges.delete('docker0');
  return [...bridges].flatMap(([bridge, ports]) => {
    const off = ports.filter(({ isHairpin }) => !isHairpin);
    const first = off[0];
    if (first === undefined) return [];
    const example = /^[\w.-]+$/.test(first.name) && !first.name.startsWith('-') ? first.name : 'INTERFACE';
    return [
      makeFinding('K8N403', {
        what: `hairpin is off on ${off.length} of ${ports.length} veth ports of the bridge ${escapeText(bridge)}`,
        why: 'Where bridges hand packets to iptables (bridge-nf-call-iptables), what a Pod sends to its own Service would have to leave by the port that it came in by; without hairpin it is dropped there.',
        fix: `Set hairpinMode: true in the bridge plugin’s configuration, and for Pods that run already: \`bridge link set dev ${example} hairpin on\`. A bridge in promiscuous mode needs neither.`,
        found: off.slice(0, mostPlaces).map(({ file, line }) => ({ file, line })),
      }),
    ];
  });
}

const mostPlaces = 20;

/** Bridges of libvirt, LXC, Podman, and Docker's networks. */
const isForeign = /^(?:virbr|lxcbr|lxdbr|podman|br-[0-9a-f]{12}$)/;
