import type { Evidence } from '../diagnostics/problem.ts';
import { nftChainKind, serviceChainKind } from '../netfilter/proxyChains.ts';
import { commands } from '../problems/catalogue/commands.ts';
import { conditionsOf } from '../trace/service/conditionsOf.ts';
import type { WalkEvent } from '../walk/flow.ts';
import type { WalkChain } from '../walk/input/walkInput.ts';
import type { CauseDraft } from './cause.ts';
import { isChainOfService } from './isChainOfService.ts';
import type { WhyQuestion } from './whyQuestion.ts';

/** The destination is an address of a load balancer, and the rules do not admit the source, or the Service does not. */
export function sourceNotAllowed(evidence: readonly Evidence[], { name, known, result }: WhyQuestion): CauseDraft {
  const isLost = known.destination?.admits?.(result.packet.source) === true;
  return {
    code: 'source-not-allowed',
    what: isLost
      ? `By the objects loadBalancerSourceRanges admit the source to ${name}; the rules of this node do not: kube-proxy does not know the ranges as they are, or a rule was lost.`
      : `The source is in none of the loadBalancerSourceRanges of ${name}.`,
    evidence,
    fix: isLost
      ? `${commands.readLog} ${commands.restart}`
      : "Add the client's network to spec.loadBalancerSourceRanges: `kubectl -n NAMESPACE edit service NAME`.",
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

/**
 * What drops it sees only packets that still have the address of a load balancer, in iptables mode since 1.25 and in nftables mode of 1.29.
 * That is not for its source where the packet came back from the Service's chains, or where nothing led it to the ranges.
 */
export function isDroppedUnasked({ chain }: WalkEvent, events: readonly WalkEvent[]): boolean {
  if (events.some(({ target }) => target !== undefined && isChainOfService(target))) return true;
  return chain.name === 'KUBE-PROXY-FIREWALL' && !events.some(({ target }) => isOfRanges(target));
}

/** The chain of a load balancer asks for sources: a packet that comes back from it is from none of its ranges. */
export function asksSources(name: string, { table }: WalkChain): boolean {
  const rules = isOfRanges(name) ? (table.chains.get(name)?.rules() ?? []) : [];
  return rules.some(({ steps }) =>
    conditionsOf(steps).some((condition) => condition.kind === 'values' && condition.field === 'source'),
  );
}

function isOfRanges(chain: string | undefined): boolean {
  return chain !== undefined && serviceChainKind(chain) === 'firewall';
}
