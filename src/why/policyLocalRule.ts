import { proxySetKind } from '../netfilter/ipset/proxySets.ts';
import { setsOfRule } from '../trace/known/setsOfRule.ts';
import type { WalkEvent } from '../walk/flow.ts';

/** A rule of IPVS mode that took the packet because its Service has an external traffic policy Local. */
export function policyLocalRule(events: readonly WalkEvent[]): WalkEvent | undefined {
  return events.find(
    ({ rule, verdict }) => rule !== undefined && verdict !== undefined && setsOfRule(rule).some(isOfLocal),
  );
}

/** `KUBE-NODE-PORT-LOCAL-TCP`, `KUBE-6-LOAD-BALANCER-LOCAL`. */
function isOfLocal(set: string): boolean {
  return /-LOCAL(?:-|$)/.test(proxySetKind(set) ?? '');
}
