import type { Family } from '../common/addresses/family.ts';

/**
 * How names of chains and sets of policies begin: the chain of a Pod, the chain of a policy, sets asked for the source and
 * the destination of a packet. A hash of sixteen characters stands behind it. kube-router uses these names, and so do we.
 */
export const policyPrefixes = {
  pod: 'KUBE-POD-FW-',
  policy: 'KUBE-NWPLCY-',
  SRC: 'KUBE-SRC-',
  DST: 'KUBE-DST-',
} as const;

/** The set of the node's own Pods. */
export const localPodsSet = 'kube-router-local-pods';

/** The chains that the built-in ones lead to. */
export const policyHooks = {
  INPUT: 'KUBE-ROUTER-INPUT',
  FORWARD: 'KUBE-ROUTER-FORWARD',
  OUTPUT: 'KUBE-ROUTER-OUTPUT',
} as const;

/** Our table of nftables. */
export const policyTableName = 'k8snet-netpol';

/** How the maps and sets begin that every table of ours has one of; a hash of what they hold stands behind it. */
export const policyNftParts = ['egress-pods', 'ingress-pods', 'self', 'local-pods', 'pod-ranges'] as const;
export type PolicyNftPart = (typeof policyNftParts)[number];

/** A text of our table by what those are for: `ip saddr vmap @egress-pods`. Older versions of k8snet named them so. */
export function withoutPartHashes(text: string): string {
  return text.replace(hashedNftParts, '$1');
}

/** The same, by family and name. */
export function policyTable(family: Family): string {
  return `${family === 'ipv4' ? 'ip' : 'ip6'} ${policyTableName}`;
}

/** What a chain of the filter table is for that enforces policies: ours, in kube-router's shape, or kube-router's. */
export function policyChainKind(chain: string): 'hook' | 'pod' | 'policy' | undefined {
  if (chain.startsWith(policyPrefixes.pod)) return 'pod';
  if (chain.startsWith(policyPrefixes.policy)) return 'policy';
  return hooks.has(chain) ? 'hook' : undefined;
}

export function isPolicyChain(chain: string): boolean {
  return policyChainKind(chain) !== undefined;
}

/** A set that such chains ask. */
export function isPolicySet(set: string): boolean {
  return policySet.test(set);
}

/** The text of a rule with other names for the chains and sets of policies in it. */
export function renamePolicyParts(text: string, rename: (name: string) => string): string {
  return text.replace(hashedParts, rename);
}

const hooks: ReadonlySet<string> = new Set(Object.values(policyHooks));
const hashedParts = new RegExp(`(?:inet6:)?(?:${Object.values(policyPrefixes).join('|')})[A-Z2-7]{16}`, 'g');
const hashedNftParts = new RegExp(`(?<![\\w-])(${policyNftParts.join('|')})-[0-9a-f]{20}(?![\\w-])`, 'g');
const policySet = new RegExp(
  `^(?:inet6:)?(?:(?:${policyPrefixes.SRC}|${policyPrefixes.DST})[A-Z2-7]{16}|${localPodsSet})$`,
);

/** Chains and sets of policies as the regular expressions of awk tell them. */
export const policyPatterns = {
  hook: `KUBE-ROUTER-(${Object.keys(policyHooks).join('|')})`,
  chain: `KUBE-((${kinds('pod', 'policy')})-[A-Z2-7]+|ROUTER-(${Object.keys(policyHooks).join('|')}))`,
  set: `KUBE-(${kinds('SRC', 'DST')})-[A-Z2-7]+`,
} as const;

function kinds(...parts: readonly (keyof typeof policyPrefixes)[]): string {
  return parts.map((part) => policyPrefixes[part].slice('KUBE-'.length, -1)).join('|');
}
