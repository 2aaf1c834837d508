import type { Family } from '../common/family.ts';

/** What a chain of the filter table is for that enforces policies: ours, in kube-router's shape, or kube-router's. */
export function policyChainKind(chain: string): 'hook' | 'pod' | 'policy' | undefined {
  if (chain.startsWith('KUBE-POD-FW-')) return 'pod';
  if (chain.startsWith('KUBE-NWPLCY-')) return 'policy';
  return hooks.has(chain) ? 'hook' : undefined;
}

export function isPolicyChain(chain: string): boolean {
  return policyChainKind(chain) !== undefined;
}

/** A set that such chains ask. */
export function isPolicySet(set: string): boolean {
  return /^(?:inet6:)?(?:KUBE-(?:SRC|DST)-[A-Z2-7]{16}|kube-router-local-pods)$/.test(set);
}

/** The text of a rule with other names for the chains and sets of policies in it. */
export function renamePolicyParts(text: string, rename: (name: string) => string): string {
  return text.replace(/(?:inet6:)?KUBE-(?:POD-FW|NWPLCY|DST|SRC)-[A-Z2-7]{16}/g, rename);
}

/** Our table of nftables, by family and name. */
export function policyTable(family: Family): string {
  return `${family === 'ipv4' ? 'ip' : 'ip6'} k8snet-netpol`;
}

const hooks: ReadonlySet<string> = new Set(['KUBE-ROUTER-INPUT', 'KUBE-ROUTER-FORWARD', 'KUBE-ROUTER-OUTPUT']);
