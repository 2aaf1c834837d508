import type { ClusterRule } from '../../model/clusterPolicy.ts';
import { selects } from '../../model/labelSelector.ts';
import type { NetPolicyRule } from '../../model/netPolicy.ts';
import type { PolicyModel } from '../../model/policyModel.ts';

/**
 * Whom and what a rule of a cluster-wide policy covers, as a rule of a NetworkPolicy says it: nodes are their addresses.
 * Domain names are nobody: who writes rules refuses them before.
 */
export function clusterNetRule({ nodes }: PolicyModel, { peers, ports }: ClusterRule): NetPolicyRule {
  const pods = peers.filter((peer) => peer.kind === 'pods');
  const cidrs = peers.flatMap((peer) => {
    if (peer.kind === 'networks') return peer.texts;
    if (peer.kind !== 'nodes') return [];
    const found = nodes.filter((node) => selects(peer.nodes, node) === 'yes');
    return found.flatMap(({ ips }) => ips.map((ip) => `${ip}/${ip.includes(':') ? 128 : 32}`));
  });
  return { peers: { pods, blocks: cidrs.map((cidr) => ({ cidr })), all: pods }, ports };
}
