import type { Endpoint } from '../../../model/endpoint.ts';
import type { Match, Word } from '../../../netfilter/iptables/ast.ts';
import { bareComment, comment, jumpTo } from '../../../netfilter/iptables/print/builders.ts';
import { patternRules } from '../patterns/patternRules.ts';
import type { PatternWords, RulePattern } from '../patterns/rulePattern.ts';
import { probability } from '../probability.ts';
import type { RuleSink } from '../ruleSink.ts';
import { chainsOf, type ServiceLayout } from '../serviceLayout.ts';

/**
 * Words that comment the rule of an endpoint (its `ip:port`) in a Service port's chain; empty if the version writes
 * none.
 */
export interface EndpointComment {
  /** How rules are commented; undefined: each separately. */
  readonly kind: string | undefined;
  readonly of: (name: string, address: string, index: number) => readonly Word[];
}

/** KUBE-SVC, since 1.22: affinity first, then the endpoints in turn. */
export function svc(layout: ServiceLayout, sink: RuleSink): void {
  if (!layout.svc.isUsed) return;
  stickyRules(layout, sink, layout.svc.name, affinityEndpoints(layout), svcComment(layout));
  balanceRules(layout, sink, layout.svc.name, layout.plan.cluster, svcComment(layout));
}

/** KUBE-SVL: the same over this node's endpoints; 1.24 drops here if there are none. */
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

/** Endpoints to which KUBE-SVC keeps sending clients: in 1.22 these include endpoints that are not ready. */
export function affinityEndpoints(layout: ServiceLayout): readonly Endpoint[] {
  return layout.plan.sticky;
}

/** ClientIP affinity: a client seen within the timeout goes to the same endpoint again. */
export function stickyRules(
  layout: ServiceLayout,
  sink: RuleSink,
  chain: string,
  endpoints: readonly Endpoint[],
  commentOf: EndpointComment,
): void {
  const seconds = layout.plan.affinitySeconds;
  if (seconds === undefined) return;
  const chains = chainsOf(layout, endpoints);
  for (const [index, endpoint] of endpoints.entries()) {
    const name = chains[index] as string;
    const recent: Match = { kind: 'recent', action: 'rcheck', name, seconds, isReaping: true };
    const words = [...commentOf.of(layout.plan.displayName, endpoint.address, index), recent];
    sink.rule('nat', { chain, words, target: jumpTo(name) });
  }
}

/** Each endpoint takes its share of what the previous ones left; the last takes the rest. */
export function balanceRules(
  layout: ServiceLayout,
  sink: RuleSink,
  chain: string,
  endpoints: readonly Endpoint[],
  commentOf: EndpointComment,
): void {
  const write = balanceRuleOf(layout, sink, chain, endpoints, commentOf);
  for (let index = 0; index < endpoints.length; index++) write(index);
}

/** Writes the rule of one endpoint among `endpoints`, by its index. */
export function balanceRuleOf(
  layout: ServiceLayout,
  sink: RuleSink,
  chain: string,
  endpoints: readonly Endpoint[],
  commentOf: EndpointComment,
): (index: number) => void {
  const { displayName } = layout.plan;
  const chains = chainsOf(layout, endpoints);
  const ruleOf =
    (index: number, isLast: boolean): RulePattern =>
    (words) => ({
      chain: words.chain,
      words: [...commentOf.of(words.name, words.address, index), ...(isLast ? [] : [takes(words.share)])],
      target: jumpTo(words.target),
    });
  const { kind } = commentOf;
  const write = (index: number, words: PatternWords, isLast: boolean): void =>
    kind === undefined ? sink.rule('nat', ruleOf(index, isLast)(words)) : isLast ? writeLast(words) : writeOne(words);
  const writeOne = patternRules(sink, `balance ${kind}`, ruleOf(0, false));
  const writeLast = patternRules(sink, `last ${kind}`, ruleOf(0, true));
  return (index) => {
    const { ip, address } = endpoints[index] as Endpoint;
    const left = endpoints.length - index;
    const share = left > 1 ? probability(left, layout.dialect.probabilityDigits) : '';
    write(index, { name: displayName, chain, target: chains[index] as string, ip, address, share }, left <= 1);
  };
}

function takes(probability: string): Match {
  return { kind: 'statistic', mode: 'random', probability };
}

/** How the version comments the rules of KUBE-SVC and KUBE-SVL. */
export function svcComment(layout: ServiceLayout): EndpointComment {
  if (layout.dropsComments) return noComment;
  switch (layout.dialect.balanceComment) {
    case 'none':
      return noComment;
    case 'servicePort':
      return servicePortComment;
    case 'endpoint':
      return { kind: 'endpoint', of: (name, address) => [comment(`${name} -> ${address}`)] };
  }
}

export const noComment: EndpointComment = { kind: 'none', of: () => [] };
export const servicePortComment: EndpointComment = { kind: 'servicePort', of: (name) => [bareComment(name)] };
