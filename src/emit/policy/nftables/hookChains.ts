import type { PolicyOptions } from '../policyOptions.ts';

/**
 * The base chains, by where packets on their way through the node are judged. A chain of nft cannot change its priority:
 * the two input chains, which have different ones, have different names.
 */
export const hookChains = {
  forward: { through: 'forward', input: 'input' },
  postrouting: { through: 'postrouting', input: 'input-translated' },
} as const satisfies Record<NonNullable<PolicyOptions['hook']>, { readonly through: string; readonly input: string }>;
