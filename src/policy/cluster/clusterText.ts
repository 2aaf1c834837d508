import type { ClusterPeer, ClusterPods, ClusterPolicy } from '../../model/clusterPolicy.ts';
import type { Direction } from '../../model/netPolicy.ts';
import type { ClusterRuleMatch } from '../sideVerdict.ts';
import { portText } from '../text/portText.ts';

/** `AdminNetworkPolicy deny-all (priority 10), ingress[0] "no one" from[0]: all pods in any namespace, any port`. */
export function matchText(direction: Direction, match: ClusterRuleMatch): string {
  const { policy, rule, peer, port } = match;
  const written = policy[direction][rule];
  const whom = peer === undefined ? undefined : written?.peers[peer];
  const where = port === undefined ? undefined : written?.ports?.[port];
  const places = [`${direction}[${rule}]`];
  if (written?.name) places.push(JSON.stringify(written.name));
  if (peer !== undefined) places.push(`${direction === 'ingress' ? 'from' : 'to'}[${peer}]`);
  if (port !== undefined) places.push(`${policy.apiKind === 'ClusterNetworkPolicy' ? 'protocols' : 'ports'}[${port}]`);
  const who = whom === undefined ? (written?.peers ?? []).map(clusterPeerText).join(', or ') : clusterPeerText(whom);
  const what =
    where !== undefined
      ? portText(where)
      : written?.ports === undefined
        ? 'any port'
        : written.ports.map(portText).join(', ');
  return `${placeText(policy)}, ${places.join(' ')}: ${who}, ${what}`;
}

/** `AdminNetworkPolicy deny-all (priority 10)`. */
export function placeText({ id, tier, priority, apiKind }: ClusterPolicy): string {
  if (priority === undefined) return id;
  return `${id} (${apiKind === 'ClusterNetworkPolicy' ? `${tier} tier, ` : ''}priority ${priority})`;
}

/** A peer in words. */
export function clusterPeerText(peer: ClusterPeer): string {
  switch (peer.kind) {
    case 'pods':
      return clusterPodsText(peer);
    case 'networks':
      return `addresses in ${peer.texts.join(', ')}`;
    case 'nodes':
      return peer.nodes.text === '' ? 'all nodes' : `nodes with ${peer.nodes.text}`;
    case 'domains':
      return `the addresses of ${peer.names.join(', ')}`;
  }
}

export function clusterPodsText({ namespaces, pods }: ClusterPods): string {
  const who = pods.text === '' ? 'all pods' : `pods with ${pods.text}`;
  return namespaces.text === '' ? `${who} in any namespace` : `${who} in namespaces with ${namespaces.text}`;
}
