import { type KeptInOrder, keptInOrder, type PassInOrder } from '../../../common/keptInOrder.ts';
import { lastFew } from '../../../common/lastFew.ts';
import type { IptablesDialect } from '../../../dialect/iptables/iptablesDialect.ts';
import type { Plan, ServicePlan } from '../../../plan/plan.ts';
import { samePlan } from '../../../plan/samePlan.ts';
import { servicePortName } from '../../../plan/servicePortName.ts';
import { sharedNodePlan } from '../../../plan/sharedNodePlan.ts';
import type { EmitOptions } from '../emitOptions.ts';
import { type ChainOrder, chainOrder } from './chainOrder.ts';
import type { RestoreTexts, WrittenDraft, WrittenService } from './writtenService.ts';

/**
 * What was written before, for another node or an earlier state of the objects, and is the same now: on other nodes nearly
 * all Services, since only policy Local and topology hints depend on the node; after an edit those that were not edited.
 */
export interface WrittenServices {
  readonly of: (plan: Plan, dialect: IptablesDialect, options: EmitOptions) => WrittenForNode;
}

/** What was written under the settings of one node. */
export interface WrittenForNode {
  /** Undefined: nothing yet, or something that does not fit this plan. */
  readonly find: (service: ServicePlan) => WrittenService | undefined;
  /** Unless it is of this node alone. */
  readonly keep: (written: WrittenDraft) => void;
  /** The order of all chains of Services. */
  readonly order: ChainOrder;
  /** The parts of restore texts, by the identity of the plan. */
  readonly restored: PassInOrder<ServicePlan, RestoreTexts>;
}

export function writtenServices(): WrittenServices {
  const kept = lastFew<Kept>();
  return {
    of: ({ family, node, services: planned }, dialect, options) => {
      const key = JSON.stringify([family, sharedNodePlan(node), dialect, options]);
      const make = () => ({
        services: new Map(),
        byPlan: keptInOrder<ServicePlan, WrittenService>(),
        order: chainOrder(),
        restored: keptInOrder<ServicePlan, RestoreTexts>(),
      });
      const { services, order, ...own } = kept.of(key, make);
      const [byPlan, restored] = [own.byPlan.pass(), own.restored.pass()];
      if (services.size > 2 * planned.length) dropOthers(services, planned);
      return {
        find: (service) => {
          const same = byPlan.get(service);
          if (same !== undefined) return same;
          const known = services.get(nameOf(service));
          if (known === undefined || !samePlan(known.plan, service)) return undefined;
          byPlan.set(service, known);
          return known;
        },
        keep: (written) => {
          if (written.isOfNode) return;
          services.set(nameOf(written.plan), written);
          byPlan.set(written.plan, written);
        },
        order,
        restored,
      };
    },
  };
}

interface Kept {
  readonly order: ChainOrder;
  readonly restored: KeptInOrder<ServicePlan, RestoreTexts>;
  /** By name: plans of other nodes may be the same. */
  readonly services: Map<string, WrittenService>;
  readonly byPlan: KeptInOrder<ServicePlan, WrittenService>;
}

/** Services that are gone must not stay for ever. */
function dropOthers(services: Map<string, WrittenService>, planned: readonly ServicePlan[]): void {
  const names = new Set(planned.map(nameOf));
  for (const name of services.keys()) if (!names.has(name)) services.delete(name);
}

function nameOf({ port, protocol }: ServicePlan): string {
  return `${servicePortName(port)} ${protocol}`;
}
