import { pushAll } from '../../../common/pushAll.ts';
import type { NodeRules } from '../../../node/nodeRules.ts';
import type { Compiled } from '../../../pipeline/compile.ts';
import type { Finding } from '../../finding.ts';
import { plannedFlowServices } from '../services/plannedFlowServices.ts';
import { silentConnections } from '../services/silentConnections.ts';
import { stuckFlows } from '../services/stuckFlows.ts';
import { hairpinOff } from './hairpinOff.ts';
import { missingModules } from './missingModules.ts';
import { mtuChecks } from './mtuChecks.ts';
import { syncChecks } from './syncChecks.ts';
import { sysctlChecks } from './sysctlChecks.ts';

/** Compares connections and bridges of a node, if given, with the Services in the manifests. */
export function factChecks(compiled: Pick<Compiled, 'plans' | 'model'>, dump: NodeRules): readonly Finding[] {
  const findings: Finding[] = [];
  if (dump.connections.length > 0) {
    pushAll(findings, stuckFlows(dump, plannedFlowServices(compiled, 'udp')));
    pushAll(findings, silentConnections(dump, plannedFlowServices(compiled, 'tcp')));
  }
  pushAll(findings, sysctlChecks(dump));
  pushAll(findings, mtuChecks(dump));
  pushAll(findings, syncChecks(dump));
  pushAll(findings, missingModules(compiled, dump));
  if (dump.bridgePorts.length > 0 && hasLocalPods(compiled)) pushAll(findings, hairpinOff(dump));
  return findings;
}

/** An endpoint on this node is behind a bridge, unless it has the node's own address. */
function hasLocalPods({ plans }: Pick<Compiled, 'plans'>): boolean {
  return plans.some(({ services, node }) =>
    services.some(({ all }) => all.some(({ isLocal, ip }) => isLocal && !node.addresses.includes(ip))),
  );
}
