import type { Endpoint } from '../../../model/endpoint.ts';
import type { Match, Word } from '../../../netfilter/iptables/ast.ts';
import { bareComment, comment, jumpTo } from '../../../netfilter/iptables/builders.ts';
import { probability } from '../probability.ts';
import type { RuleSink } from '../ruleSink.ts';
import { endpointChain, type ServiceFacts } from '../serviceFacts.ts';

/** Words that comment the rule of an endpoint; empty where the version writes none. */
export type EndpointComment = (endpoint: Endpoint, index: number) => readonly Word[];

/** KUBE-SVC, from 1.22 on: affinity first, then the endpoints in turn. */
export function svc(facts: ServiceFacts, sink: RuleSink): void {
  if (!facts.svc.isUsed) return;
  stickyRules(facts, sink, facts.svc.name, affinityEndpoints(facts), svcComment(facts));
  balanceRules(facts, sink, facts.svc.name, facts.plan.cluster, svcComment(facts));
}

/** KUBE-SVL: the same over this node's endpoints; 1.24 drops here where there are none. */
export function svl(facts: ServiceFacts, sink: RuleSink): void {
  const { plan, dialect } = facts;
  if (!facts.svl.isUsed) return;
  if (plan.local.length === 0 && dialect.noLocal === 'mark drop') {
    sink.rule('nat', {
      chain: facts.svl.name,
      words: [comment(`${plan.displayName} has no local endpoints`)],
      target: jumpTo('KUBE-MARK-DROP'),
    });
    return;
  }
  stickyRules(facts, sink, facts.svl.name, plan.local, svcComment(facts));
  balanceRules(facts, sink, facts.svl.name, plan.local, svcComment(facts));
}

/** Endpoints that KUBE-SVC keeps clients on: 1.22 also has those that are not ready. */
export function affinityEndpoints(facts: ServiceFacts): readonly Endpoint[] {
  return facts.plan.sticky;
}

/** ClientIP affinity: a client seen within the timeout goes where it went before. */
export function stickyRules(
  facts: ServiceFacts,
  sink: RuleSink,
  chain: string,
  endpoints: readonly Endpoint[],
  commentOf: EndpointComment,
): void {
  const seconds = facts.plan.affinitySeconds;
  if (seconds === undefined) return;
  for (const [index, endpoint] of endpoints.entries()) {
    const name = endpointChain(facts, endpoint);
    const recent: Match = { kind: 'recent', action: 'rcheck', name, seconds, isReaping: true };
    sink.rule('nat', { chain, words: [...commentOf(endpoint, index), recent], target: jumpTo(name) });
  }
}

/** Each endpoint takes its share of what the ones before it left over; the last takes the rest. */
export function balanceRules(
  facts: ServiceFacts,
  sink: RuleSink,
  chain: string,
  endpoints: readonly Endpoint[],
  commentOf: EndpointComment,
): void {
  for (let index = 0; index < endpoints.length; index++) {
    balanceRule(facts, sink, chain, endpoints, index, commentOf);
  }
}

/** The rule of one endpoint among `endpoints`. */
export function balanceRule(
  facts: ServiceFacts,
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
      probability: probability(left, facts.dialect.probabilityDigits),
    });
  }
  sink.rule('nat', { chain, words, target: jumpTo(endpointChain(facts, endpoint)) });
}

/** How the version comments the rules of KUBE-SVC and KUBE-SVL. */
export function svcComment(facts: ServiceFacts): EndpointComment {
  const { displayName } = facts.plan;
  if (facts.dropsComments) return () => [];
  switch (facts.dialect.balanceComment) {
    case 'none':
      return () => [];
    case 'servicePort':
      return () => [bareComment(displayName)];
    case 'endpoint':
      return (endpoint) => [comment(`${displayName} -> ${endpoint.address}`)];
  }
}
