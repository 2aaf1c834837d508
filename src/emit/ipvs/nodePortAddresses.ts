import type { NodePlan } from '../../plan/plan.ts';

/**
 * The addresses that get a virtual service for each node port, sorted as text. No loopback address, unless it was named
 * as one of the node's: IPVS cannot send what comes from 127.0.0.1 to a Pod, and kube-proxy 1.30 leaves it out (1.20 did not).
 * Without a restriction also no link-local IPv6 address.
 */
export function nodePortAddresses(node: NodePlan, namedLoopback: readonly string[]): readonly string[] {
  const addresses =
    node.nodePorts.kind === 'anyLocal'
      ? node.addresses.filter((address) => !/^fe[89ab][0-9a-f]:/.test(address))
      : node.nodePorts.addresses;
  return [...new Set(addresses)].filter((address) => !isLoopback(address) || namedLoopback.includes(address)).sort();
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
