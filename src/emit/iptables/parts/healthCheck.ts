import { comment, jumpTo, toPort } from '../../../netfilter/iptables/builders.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { ServiceFacts } from '../serviceFacts.ts';

/** Load balancers may ask the node whether it has endpoints, whatever a firewall says; once for every service port. */
export function healthCheck(facts: ServiceFacts, sink: RuleSink): void {
  const { healthCheckNodePort } = facts.plan.port;
  if (healthCheckNodePort === 0) return;
  sink.rule('filter', {
    chain: 'KUBE-NODEPORTS',
    words: [comment(`${facts.plan.displayName} health check node port`), ...toPort('tcp', healthCheckNodePort)],
    target: jumpTo('ACCEPT'),
  });
}
