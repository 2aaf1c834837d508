import type { NftElement } from '../netfilter/nft/ast.ts';

/** `namespace/name` that an element of kube-proxy's maps leads to, or that its comment names; undefined: none. */
export function serviceInElement({ verdict, comment }: NftElement): string | undefined {
  const chain = verdict !== undefined && 'chain' in verdict ? verdict.chain : '';
  return (
    /^[a-z]+-[A-Z0-9]{8}-([a-z0-9-]+\/[a-z0-9.-]+)\//.exec(chain)?.[1] ??
    /^([a-z0-9-]+\/[a-z0-9.-]+)(?::[a-z0-9-]*)?$/.exec(comment ?? '')?.[1]
  );
}
