import type { IptablesDialect, Part, ServiceChain } from '../../dialect/iptables/iptablesDialect.ts';
import { comment, jumpTo, toPort } from '../../netfilter/iptables/builders.ts';
import type { Plan } from '../../plan/plan.ts';
import type { EmitOptions } from './emitOptions.ts';
import { epilogue, prologue } from './fixedRules.ts';
import { svc, svl } from './parts/balance.ts';
import { clusterIP, clusterIPReject, svcMasquerade } from './parts/clusterIP.ts';
import { ext } from './parts/ext.ts';
import { externalIPs } from './parts/externalIPs.ts';
import { firewall, loadBalancerIPs } from './parts/loadBalancerIPs.ts';
import { nodePort } from './parts/nodePort.ts';
import { endpointsInterleaved, sep } from './parts/sep.ts';
import { xlb } from './parts/xlb.ts';
import type { RuleSink } from './ruleSink.ts';
import { endpointChain, type ServiceFacts, serviceFacts } from './serviceFacts.ts';

/**
 * Lowers a plan to the chain lines and rules that kube-proxy of the dialect hands to iptables-restore in its first full
 * sync, in its order. Rules go to the sink one service port at a time; nothing is kept.
 */
export function emitIptables(plan: Plan, dialect: IptablesDialect, options: EmitOptions, sink: RuleSink): void {
  prologue(plan.node, dialect, sink);
  for (const service of plan.services) {
    sink.service?.(service);
    const facts = serviceFacts(service, plan.node, dialect, options);
    for (const chain of dialect.chainLines) chainLines(facts, chain, sink);
    for (const part of dialect.parts) parts[part](facts, sink);
  }
  sink.service?.(undefined);
  epilogue(plan.node, dialect, options, sink);
}

const parts: Readonly<Record<Part, (facts: ServiceFacts, sink: RuleSink) => void>> = {
  clusterIP,
  externalIPs,
  loadBalancerIPs,
  nodePort,
  clusterIPReject,
  healthCheck,
  endpointsInterleaved,
  svcMasquerade,
  ext,
  fw: firewall,
  svc,
  svl,
  sep,
  xlb,
};

function chainLines(facts: ServiceFacts, chain: ServiceChain, sink: RuleSink): void {
  const line = (use: { readonly name: string; readonly isUsed: boolean }) => {
    if (use.isUsed) sink.chain('nat', use.name);
  };
  switch (chain) {
    case 'SVC':
      line(facts.svc);
      break;
    case 'SVL':
      line(facts.svl);
      break;
    case 'XLB':
      line(facts.xlb);
      break;
    case 'EXT':
      line(facts.ext);
      break;
    case 'FW':
      // Through 1.23 the chain is declared, and so emptied, again for each address.
      for (const _ip of facts.dialect.firewallLinePerIP ? facts.plan.loadBalancerIPs : [0]) line(facts.fw);
      break;
    case 'SEP':
      for (const endpoint of facts.plan.reachable) sink.chain('nat', endpointChain(facts, endpoint));
  }
}

/** Load balancers may ask the node whether it has endpoints, whatever a firewall says; once for every service port. */
function healthCheck(facts: ServiceFacts, sink: RuleSink): void {
  const { healthCheckNodePort } = facts.plan.port;
  if (healthCheckNodePort === 0 || !facts.dialect.hasHealthCheckRules) return;
  sink.rule('filter', {
    chain: 'KUBE-NODEPORTS',
    words: [comment(`${facts.plan.displayName} health check node port`), ...toPort('tcp', healthCheckNodePort)],
    target: jumpTo('ACCEPT'),
  });
}
