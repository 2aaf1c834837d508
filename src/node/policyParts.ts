import type { Family } from '../common/family.ts';

/** A chain of the filter table that enforces policies: ours, in kube-router's shape, or kube-router's. */
export function isPolicyChain(chain: string): boolean {
  return /^KUBE-(?:ROUTER-(?:INPUT|FORWARD|OUTPUT)$|POD-FW-|NWPLCY-)/.test(chain);
}

/** A set that such chains ask. */
export function isPolicySet(set: string): boolean {
  return /^(?:inet6:)?(?:KUBE-(?:SRC|DST)-[A-Z2-7]{16}|kube-router-local-pods)$/.test(set);
}

/** Our table of nftables, by family and name. */
export function policyTable(family: Family): string {
  return `${family === 'ipv4' ? 'ip' : 'ip6'} k8snet-netpol`;
}
