import type { IptablesDialect, Part, ServiceChain } from '../../dialect/iptables/iptablesDialect.ts';
import { comment, jumpTo, toPort } from '../../netfilter/iptables/print/builders.ts';
import type { Plan } from '../../plan/plan.ts';
import type { EmitOptions } from './emitOptions.ts';
import { epilogue, prologue } from './fixedRules.ts';
import { type NameStore, nameStore } from './nameStore.ts';
import { svc, svl } from './parts/balance.ts';
import { clusterIP, clusterIPReject, svcMasquerade } from './parts/clusterIP.ts';
import { ext } from './parts/ext.ts';
import { externalIPs } from './parts/externalIPs.ts';
import { firewall, loadBalancerIPs } from './parts/loadBalancerIPs.ts';
import { nodePort } from './parts/nodePort.ts';
import { endpointsInterleaved, sep } from './parts/sep.ts';
import { xlb } from './parts/xlb.ts';
import type { RuleSink } from './ruleSink.ts';
import { type ServiceLayout, serviceLayout } from './serviceLayout.ts';

/** Lowers the plan into a sink in steps, one service port at a time. */
export type IptablesEmission = (sink: RuleSink) => Generator<void>;

/**
 * Lowers a plan to the chain lines and rules that kube-proxy in this dialect passes to iptables-restore in its first
 * full sync, in its order. Rules go to the sink one service port at a time; nothing is kept.
 */
export function emitIptables(
  plan: Plan,
  dialect: IptablesDialect,
  options: EmitOptions,
  sink: RuleSink,
  names?: NameStore,
): void {
  for (const _service of iptablesEmission(plan, dialect, options, names)(sink));
}

/** The same in steps. It can run for several sinks; names of chains are then computed once. */
export function iptablesEmission(
  plan: Plan,
  dialect: IptablesDialect,
  options: EmitOptions,
  names: NameStore = nameStore(),
): IptablesEmission {
  return function* emit(sink) {
    names.rewind();
    const entries = dialect.parts.map((part) => parts[part]);
    const wanted = entries.filter(
      ({ writesFilter, isOfEndpoints }) =>
        !(sink.skipsNatRules && !writesFilter) && !(sink.skipsEndpoints && isOfEndpoints),
    );
    prologue(plan.node, dialect, sink);
    for (const service of plan.services) {
      sink.service?.(service);
      if (sink.hasRulesOf?.(service)) {
        yield;
        continue;
      }
      const layout = serviceLayout(service, plan.node, dialect, options, names);
      for (const chain of dialect.chainLines) chainLines(layout, chain, sink);
      for (const { lower } of wanted) lower(layout, sink);
      yield;
    }
    sink.service?.(undefined);
    epilogue(plan.node, dialect, options, sink);
  };
}

interface PartEntry {
  readonly lower: (layout: ServiceLayout, sink: RuleSink) => void;
  readonly writesFilter?: true;
  readonly isOfEndpoints?: true;
}

const parts: Readonly<Record<Part, PartEntry>> = {
  clusterIP: { lower: clusterIP, writesFilter: true },
  externalIPs: { lower: externalIPs, writesFilter: true },
  loadBalancerIPs: { lower: loadBalancerIPs, writesFilter: true },
  nodePort: { lower: nodePort, writesFilter: true },
  clusterIPReject: { lower: clusterIPReject, writesFilter: true },
  healthCheck: { lower: healthCheck, writesFilter: true },
  endpointsInterleaved: { lower: endpointsInterleaved, isOfEndpoints: true },
  svcMasquerade: { lower: svcMasquerade },
  ext: { lower: ext },
  fw: { lower: firewall },
  svc: { lower: svc, isOfEndpoints: true },
  svl: { lower: svl },
  sep: { lower: sep, isOfEndpoints: true },
  xlb: { lower: xlb },
};

function chainLines(layout: ServiceLayout, chain: ServiceChain, sink: RuleSink): void {
  const line = (use: { readonly name: string; readonly isUsed: boolean }) => {
    if (use.isUsed) sink.chain('nat', use.name);
  };
  switch (chain) {
    case 'SVC':
      line(layout.svc);
      break;
    case 'SVL':
      line(layout.svl);
      break;
    case 'XLB':
      line(layout.xlb);
      break;
    case 'EXT':
      line(layout.ext);
      break;
    case 'FW':
      // Through 1.23 each address declares the chain again, which empties it.
      for (const _ip of layout.dialect.firewallLinePerIP ? layout.plan.loadBalancerIPs : [0]) line(layout.fw);
      break;
    case 'SEP':
      if (sink.skipsEndpoints) break;
      if (sink.endpointChains !== undefined) sink.endpointChains(layout.endpointNames);
      else for (const name of layout.endpointNames.texts()) sink.chain('nat', name);
  }
}

/** Load balancers may ask the node whether it has endpoints, regardless of a firewall; once for every service port. */
function healthCheck(layout: ServiceLayout, sink: RuleSink): void {
  const { healthCheckNodePort } = layout.plan.port;
  if (healthCheckNodePort === 0 || !layout.dialect.hasHealthCheckRules) return;
  sink.rule('filter', {
    chain: 'KUBE-NODEPORTS',
    words: [comment(`${layout.plan.displayName} health check node port`), ...toPort('tcp', healthCheckNodePort)],
    target: jumpTo('ACCEPT'),
  });
}
