import { isWithin } from '../common/addresses/cidr.ts';
import type { ClusterPeer, ClusterPods, ClusterRule } from './clusterPolicy.ts';
import type { LabelSelector } from './labelSelector.ts';
import type { NetPolicyPort } from './netPolicy.ts';

/** What is so by the words alone, whatever Pods there are: no answer here is a guess. */

/** The outer pods are all of the inner ones, or more. */
export function coversPods(outer: ClusterPods, inner: ClusterPods): boolean {
  return isWider(outer.namespaces, inner.namespaces) && isWider(outer.pods, inner.pods);
}

/** Whatever the inner rule matches, the outer rule matches too. */
export function coversRule(outer: ClusterRule, inner: ClusterRule): boolean {
  return inner.peers.every((peer) => outer.peers.some((each) => coversPeer(each, peer))) && coversPorts(outer, inner);
}

/** All Pods of all namespaces, or all addresses of a family. */
export function isEveryone(peer: ClusterPeer): boolean {
  switch (peer.kind) {
    case 'pods':
      return peer.namespaces.requirements.length + peer.pods.requirements.length === 0;
    case 'networks':
      return peer.cidrs.some(({ text }) => text.endsWith('/0'));
    default:
      return false;
  }
}

function coversPeer(outer: ClusterPeer, inner: ClusterPeer): boolean {
  if (outer.kind === 'pods' && inner.kind === 'pods') return coversPods(outer, inner);
  if (outer.kind === 'nodes' && inner.kind === 'nodes') return isWider(outer.nodes, inner.nodes);
  if (outer.kind === 'domains' && inner.kind === 'domains') {
    return inner.names.every((name) => outer.names.includes(name));
  }
  if (outer.kind !== 'networks' || inner.kind !== 'networks') return false;
  return inner.cidrs.every((cidr) => outer.cidrs.some((each) => each.family === cidr.family && isWithin(cidr, each)));
}

/** Fewer requirements find more. */
function isWider(outer: LabelSelector, inner: LabelSelector): boolean {
  const asked = new Set(inner.requirements.map((each) => JSON.stringify(each)));
  return outer.requirements.every((each) => asked.has(JSON.stringify(each)));
}

function coversPorts({ ports: outer }: ClusterRule, { ports: inner }: ClusterRule): boolean {
  if (outer === undefined) return true;
  return inner?.every((port) => outer.some((each) => coversPort(each, port))) ?? false;
}

function coversPort(outer: NetPolicyPort, inner: NetPolicyPort): boolean {
  if (outer.kind === 'named') {
    if (inner.kind !== 'named' || outer.name !== inner.name) return false;
    return outer.protocol === undefined || outer.protocol === inner.protocol;
  }
  if (inner.kind === 'named' || outer.protocol !== inner.protocol) return false;
  return outer.first <= inner.first && inner.last <= outer.last;
}
