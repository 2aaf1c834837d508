import { cidrContains } from '../../common/addresses/cidr.ts';
import { memoized } from '../../common/memoized.ts';
import type { Ternary } from '../../common/ternary.ts';
import type { ClusterPeer } from '../../model/clusterPolicy.ts';
import { selects } from '../../model/labelSelector.ts';
import type { NetPolicyPeer, PodPeer } from '../../model/netPolicy.ts';
import type { PolicyPod } from '../../model/policyModel.ts';
import type { Party } from './party.ts';
import type { PeerHome } from './peerHome.ts';
import type { PodSelection } from './podSelection.ts';

export type PeerTest = (policy: PeerHome, peer: NetPolicyPeer | ClusterPeer, party: Party) => Ternary;

/** Whether a party is among those whom an entry of `from` or `to` names. */
export function peerTest(selection: PodSelection): PeerTest {
  const setOf = memoized((pods: readonly PolicyPod[]) => new Set(pods));
  const meantBy = memoized((policy: PeerHome) =>
    memoized((peer: PodPeer) => ({
      sure: setOf(selection.peers(policy, peer)),
      maybe: setOf(selection.maybePeers(policy, peer)),
    })),
  );
  const isAmong = (policy: PeerHome, peer: PodPeer, { pods }: Party): Ternary => {
    if (pods.length === 0) return 'no';
    const { sure, maybe } = meantBy(policy)(peer);
    if (pods.some((pod) => sure.has(pod))) return 'yes';
    return pods.some((pod) => maybe.has(pod)) ? 'maybe' : 'no';
  };
  return (policy, peer, party) => {
    switch (peer.kind) {
      case 'pods':
        return isAmong(policy, peer, party);
      case 'ipBlock': {
        const isIn = cidrContains(peer.cidr, party.ip) && !peer.except.some((cidr) => cidrContains(cidr, party.ip));
        return isIn ? 'yes' : 'no';
      }
      case 'networks':
        return peer.cidrs.some((cidr) => cidrContains(cidr, party.ip)) ? 'yes' : 'no';
      case 'nodes':
        return party.node === undefined ? 'no' : selects(peer.nodes, party.node);
      case 'domains':
        return peer.names.some((name) => mayBeBehind(name, party)) ? 'maybe' : 'no';
      case 'nobody':
        return 'no';
    }
  };
}

/** Domain names are not for what is in the cluster; a name of the cluster's own is the only one that may lead to a Pod. */
export function mayBeBehind(name: string, { pods }: Pick<Party, 'pods'>): boolean {
  return pods.length === 0 || /(^|\.)cluster\.local\.?$/i.test(name);
}
