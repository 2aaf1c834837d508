import type { Endpoint } from '../../../model/endpoint.ts';
import type { Match, Word } from '../../../netfilter/iptables/ast.ts';
import { bareComment, comment, jumpTo } from '../../../netfilter/iptables/builders.ts';
import { probability } from '../probability.ts';
import type { RuleSink } from '../ruleSink.ts';
import { endpointChain, type ServiceLayout } from '../serviceLayout.ts';

/** Words that comment the rule of an endpoint; empty where the version writes none. */
export type EndpointComment = (endpoint: Endpoint, index: number) => readonly Word[];

/** KUBE-SVC, from 1.22 on: affinity first, then the endpoints in turn. */
export function svc(layout: ServiceLayout, sink: RuleSink): void {
  if (!layout.svc.isUsed) return;
  stickyRules(layout, sink, layout.svc.name, affinityEndpoints(layout), svcComment(layout));
  balanceRules(layout, sink, layout.svc.name, layout.plan.cluster, svcComment(layout));
}

/** KUBE-SVL: the same over this node's endpoints; 1.24 drops here where there are none. */
export function svl(layout: ServiceLayout, sink: RuleSink): void {
  const { plan, dialect } = layout;
  if (!layout.svl.isUsed) return;
  if (plan.local.length === 0 && dialect.noLocalEndpoints === 'mark drop') {
    sink.rule('nat', {
      chain: layout.svl.name,
      words: [comment(`${plan.displayName} has no local endpoints`)],
      target: jumpTo('KUBE-MARK-DROP'),
    });
    return;
  }
  stickyRules(layout, sink, layout.svl.name, plan.local, svcComment(layout));
  balanceRules(layout, sink, layout.svl.name, plan.local, svcComment(layout));
}

/** Endpoints that KUBE-SVC keeps clients on: 1.22 also has those that are not ready. */
export function affinityEndpoints(layout: ServiceLayout): readonly Endpoint[] {
  return layout.plan.sticky;
}

/** ClientIP affinity: a client seen within the timeout goes where it went before. */
export function stickyRules(
  layout: ServiceLayout,
  sink: RuleSink,
  chain: string,
  endpoints: readonly Endpoint[],
  commentOf: EndpointComment,
): void {
  const seconds = layout.plan.affinitySeconds;
  if (seconds === undefined) return;
  for (const [index, endpoint] of endpoints.entries()) {
    const name = endpointChain(layout, endpoint);
    const recent: Match = { kind: 'recent', action: 'rcheck', name, seconds, isReaping: true };
    sink.rule('nat', { chain, words: [...commentOf(endpoint, index), recent], target: jumpTo(name) });
  }
}

/** Each endpoint takes its share of what the ones before it left over; the last takes the rest. */
export function balanceRules(
  layout: ServiceLayout,
  sink: RuleSink,
  chain: string,
  endpoints: readonly Endpoint[],
  commentOf: EndpointComment,
): void {
  for (let index = 0; index < endpoints.length; index++) {
    balanceRule(layout, sink, chain, endpoints, index, commentOf);
  }
}

/** The rule of one endpoint among `endpoints`. */
export function balanceRule(
  layout: ServiceLayout,
  sink: RuleSink,
  chain: string,
  endpoints: readonly Endpoint[],
  index: number,
  commentOf: EndpointComment,
): void {
  const endpoint = endpoints[index] as Endpoint;
  const left = endpoints.length - index;
  const words: Word[] = [...commentOf(endpoint, index)];
  if (left > 1) {
    words.push({
      kind: 'statistic',
      mode: 'random',
      probability: probability(left, layout.dialect.probabilityDigits),
    });
  }
  sink.rule('nat', { chain, words, target: jumpTo(endpointChain(layout, endpoint)) });
}

/** How the version comments the rules of KUBE-SVC and KUBE-SVL. */
export function svcComment(layout: ServiceLayout): EndpointComment {
  const { displayName } = layout.plan;
  if (layout.dropsComments) return () => [];
  switch (layout.dialect.balanceComment) {
    case 'none':
      return () => [];
    case 'servicePort':
      return () => [bareComment(displayName)];
    case 'endpoint':
      return (endpoint) => [comment(`${displayName} -> ${endpoint.address}`)];
  }
}
