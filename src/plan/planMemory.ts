import { type KeptInOrder, keptInOrder, type PassInOrder } from '../common/keptInOrder.ts';
import { lastFew } from '../common/lastFew.ts';
import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import type { NodeFacts } from '../model/nodeFacts.ts';
import type { ServicePort } from '../model/servicePort.ts';
import type { NodePlan, ServicePlan } from './plan.ts';

/** What earlier runs decided about the same Service ports, by their identity. */
export interface PlanMemory {
  /** By what a port is sorted, in the order of the model. */
  readonly sortKeys: () => PassInOrder<ServicePort, string>;
  /** For nodes and a version with the same settings. */
  readonly under: (node: SettingsOfNode, facts: NodeFacts, dialect: PlanDialect) => KeptPlans;
}

/** Of one run, in the order of the plan. */
export interface KeptPlans {
  readonly of: (port: ServicePort, make: (port: ServicePort) => ServicePlan) => ServicePlan;
}

type SettingsOfNode = Pick<NodePlan, 'localDetector' | 'clusterMasquerade' | 'nodeIP'>;

export function planMemory(): PlanMemory {
  const bySettings = lastFew<KeptInOrder<ServicePort, Kept>>();
  const sortKeys = keptInOrder<ServicePort, string>();
  return {
    sortKeys: sortKeys.pass,
    under: ({ localDetector, clusterMasquerade, nodeIP }, { name, zone }, dialect) => {
      const key = JSON.stringify([localDetector, clusterMasquerade, dialect]);
      const own = bySettings.of(key, () => keptInOrder()).pass();
      const node = JSON.stringify([name, zone, nodeIP]);
      return {
        of: (port, make) => {
          const earlier = own.get(port);
          if (earlier !== undefined && (earlier.node === undefined || earlier.node === node)) return earlier.plan;
          const plan = make(port);
          own.set(port, { plan, node: asksForNode(plan) ? node : undefined });
          return plan;
        },
      };
    },
  };
}

interface Kept {
  readonly plan: ServicePlan;
  /** Of a plan for one node alone: what it depends on. */
  readonly node: string | undefined;
}

/** Hints are for nodes and zones, and source ranges may contain the node's own address. */
function asksForNode({ port, wantsTopologyHints }: ServicePlan): boolean {
  return wantsTopologyHints || port.sourceRanges.length > 0 || port.beta !== undefined;
}
