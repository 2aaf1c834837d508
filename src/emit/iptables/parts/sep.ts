import type { Endpoint } from '../../../model/endpoint.ts';
import type { RuleSink } from '../ruleSink.ts';
import { chainsOf, namesOf, type ServiceLayout } from '../serviceLayout.ts';
import { affinityEndpoints, balanceRuleOf, stickyRules, svcComment } from './balance.ts';
import { endpointPatterns } from './endpointPatterns.ts';

/** KUBE-SEP of every endpoint that can be reached. */
export function sep(layout: ServiceLayout, sink: RuleSink): void {
  const { reachable } = layout.plan;
  if (putOff(layout, sink, reachable)) return;
  const chains = chainsOf(layout, reachable);
  const write = endpointWriter(layout, sink);
  for (let at = 0; at < reachable.length; at += 1) write(reachable[at] as Endpoint, chains[at] as string);
}

/** Through 1.21: affinity of all endpoints, then for each its rule in KUBE-SVC and its own chain. */
export function endpointsInterleaved(layout: ServiceLayout, sink: RuleSink): void {
  if (!layout.svc.isUsed) return;
  const { cluster } = layout.plan;
  stickyRules(layout, sink, layout.svc.name, affinityEndpoints(layout), svcComment(layout));
  const chains = chainsOf(layout, cluster);
  const balance = balanceRuleOf(layout, sink, layout.svc.name, cluster, svcComment(layout));
  const write = putOff(layout, sink, cluster) ? undefined : endpointWriter(layout, sink);
  for (let at = 0; at < cluster.length; at += 1) {
    balance(at);
    write?.(cluster[at] as Endpoint, chains[at] as string);
  }
}

/** Leaves the rules of endpoints to a sink that writes them on demand. */
function putOff(layout: ServiceLayout, sink: RuleSink, endpoints: readonly Endpoint[]): boolean {
  if (sink.endpointRules === undefined) return false;
  const write = endpointPatterns(layout, sink);
  sink.endpointRules({ name: layout.plan.displayName, chains: namesOf(layout, endpoints), endpoints, write });
  return true;
}

function endpointWriter(layout: ServiceLayout, sink: RuleSink): (endpoint: Endpoint, chain: string) => void {
  const { displayName: name } = layout.plan;
  const [writeHairpin, writeDnat] = endpointPatterns(layout, sink);
  return ({ ip, address }, chain) => {
    const words = { name, chain, target: '', ip, address, share: '' };
    writeHairpin(words);
    writeDnat(words);
  };
}
