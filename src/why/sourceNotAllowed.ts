import type { Evidence } from '../diagnostics/problem.ts';
import { nftChainKind, serviceChainKind } from '../netfilter/proxyChains.ts';
import type { WalkChain } from '../walk/input/walkInput.ts';
import type { CauseDraft } from './cause.ts';

/** The destination `name` is an address of a load balancer, and its Service does not admit the source. */
export function sourceNotAllowed(name: string, evidence: readonly Evidence[]): CauseDraft {
  return {
    code: 'source-not-allowed',
    what: `The source is in none of the loadBalancerSourceRanges of ${name}.`,
    evidence,
    fix: "Add the client's network to spec.loadBalancerSourceRanges: `kubectl -n NAMESPACE edit service NAME`.",
  };
}

/** The chain drops what comes from no source range. In nat, KUBE-FIREWALL is of IPVS mode. */
export function holdsRanges({ name, table }: WalkChain): boolean {
  if (forAllServices.has(name)) return true;
  if (name === 'KUBE-FIREWALL') return table.name === 'nat';
  return (serviceChainKind(name) ?? nftChainKind(name)) === 'firewall';
}

/** KUBE-IPVS-OUT-FILTER has what the node sends to its own load-balancer addresses; nftables mode of 1.29 has one chain. */
const forAllServices: ReadonlySet<string> = new Set([
  'KUBE-PROXY-FIREWALL',
  'KUBE-SOURCE-RANGES-FIREWALL',
  'KUBE-IPVS-OUT-FILTER',
  'firewall-allow-check',
]);
