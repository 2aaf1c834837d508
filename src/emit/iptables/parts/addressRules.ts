import type { RejectChain } from '../../../dialect/dialect.ts';
import type { Word } from '../../../netfilter/iptables/ast.ts';
import { jumpTo } from '../../../netfilter/iptables/builders.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { ServiceFacts } from '../serviceFacts.ts';
import { markForMasquerade } from '../words.ts';

/** Traffic from outside the cluster, as the local detector tells it: `! -s CIDR`, `! -i IFACE`. Undefined: no detector. */
export function notFromPods(facts: ServiceFacts): Word | undefined {
  return detectorWord(facts, true);
}

/** Traffic from this node's pods: `-s CIDR`, `-i IFACE`. Undefined: no detector. */
export function fromPods(facts: ServiceFacts): Word | undefined {
  return detectorWord(facts, false);
}

/** One nat rule with the version's way of marking for masquerading. */
export function masquerade(facts: ServiceFacts, sink: RuleSink, chain: string, words: readonly Word[]): void {
  sink.rule('nat', { chain, words, target: markForMasquerade(facts.dialect) });
}

/**
 * The filter rule that stands in where an address finds no endpoint: REJECT if there is none anywhere, DROP if a Local
 * policy finds none on this node (from 1.25 on; before, nat marks such packets for dropping).
 */
export function refuse(
  facts: ServiceFacts,
  sink: RuleSink,
  chain: RejectChain,
  hasUsableEndpoints: boolean,
  words: (text: string) => readonly Word[],
): void {
  const { plan, dialect } = facts;
  if (!plan.hasEndpoints) {
    if (chain === 'none') return;
    sink.rule('filter', { chain, words: words(`${plan.displayName} has no endpoints`), target: { kind: 'reject' } });
  } else if (!hasUsableEndpoints && dialect.noLocal === 'filter drop' && chain !== 'none') {
    sink.rule('filter', { chain, words: words(`${plan.displayName} has no local endpoints`), target: jumpTo('DROP') });
  }
}

function detectorWord(facts: ServiceFacts, negated: boolean): Word | undefined {
  const detector = facts.node.localDetector;
  const not = negated ? { negated } : {};
  switch (detector?.kind) {
    case undefined:
      return undefined;
    case 'cidr':
      return { kind: 'source', ...not, address: detector.cidr };
    case 'bridge':
      return { kind: 'inInterface', ...not, name: detector.name };
    case 'prefix':
      return { kind: 'inInterface', ...not, name: `${detector.prefix}+` };
  }
}
