import type { Word } from '../../../netfilter/iptables/ast.ts';
import { jumpTo } from '../../../netfilter/iptables/builders.ts';
import { detectorMatch } from '../../detectorMatch.ts';
import { toAddress } from '../builders.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { ServiceFacts } from '../serviceFacts.ts';
import { masquerade, masqueradeRoute, refuse } from './addressRules.ts';

/** Traffic to the cluster IP: masqueraded here through 1.23, then to the service's chain; or refused (from 1.10 on). */
export function clusterIP(facts: ServiceFacts, sink: RuleSink): void {
  const { plan, dialect } = facts;
  const jumps = facts.writesNat && (plan.hasInternalEndpoints || !plan.hasEndpoints || dialect.noLocal === 'mark drop');
  if (jumps) {
    if (dialect.clusterMasquerade !== 'part') masqueradeClusterIP(facts, sink);
    sink.rule('nat', { chain: 'KUBE-SERVICES', words: clusterIPWords(facts), target: jumpTo(facts.internalTarget) });
  }
  if (!dialect.keepsNatWithoutEndpoints) clusterIPReject(facts, sink);
}

/** Through 1.9 the refusal comes after the rules of all other addresses. */
export function clusterIPReject(facts: ServiceFacts, sink: RuleSink): void {
  const { plan, dialect } = facts;
  refuse(facts, sink, dialect.rejectClusterIP, plan.hasInternalEndpoints, (text) => clusterIPWords(facts, text));
}

/** From 1.24 on a part of its own: the first rules of the chain for cluster-IP traffic. */
export function svcMasquerade(facts: ServiceFacts, sink: RuleSink): void {
  const { plan, dialect } = facts;
  if (plan.hasInternalEndpoints || (plan.hasEndpoints && dialect.noLocal === 'mark drop')) {
    masqueradeClusterIP(facts, sink);
  }
}

function masqueradeClusterIP(facts: ServiceFacts, sink: RuleSink): void {
  const { plan, node, dialect } = facts;
  const chain = masqueradeChain(facts);
  const words = clusterIPWords(facts);
  masqueradeRoute(facts, sink, chain, plan.internal, words);
  if (plan.internal.masquerade === 'always' && dialect.repeatsMasquerade && node.localDetector !== undefined) {
    masquerade(facts, sink, chain, [...words, detectorMatch(node.localDetector, true)]);
  }
}

function masqueradeChain(facts: ServiceFacts): string {
  switch (facts.dialect.clusterMasquerade) {
    case 'services':
      return 'KUBE-SERVICES';
    case 'svc':
      return facts.svc.name;
    case 'part':
      return facts.internalTarget;
  }
}

function clusterIPWords(facts: ServiceFacts, text = `${facts.plan.displayName} cluster IP`): Word[] {
  const { plan } = facts;
  return toAddress(text, plan.protocol, facts.address(plan.port.clusterIP), plan.port.port);
}
