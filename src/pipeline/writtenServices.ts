import type { IptablesDialect } from '../dialect/iptables/iptablesDialect.ts';
import type { EmitOptions } from '../emit/iptables/emitOptions.ts';
import type { TableName } from '../emit/iptables/ruleSink.ts';
import type { Plan, ServicePlan, SharedNodePlan } from '../plan/plan.ts';
import { servicePortName } from '../plan/servicePortName.ts';
import { samePlan } from './expected/samePlan.ts';

/** The rules of one Service port in iptables mode, as iptables-save prints them. */
export interface WrittenService {
  readonly plan: ServicePlan;
  /** Whole chains of its own. */
  readonly chains: readonly (readonly [name: string, text: string])[];
  /** Lines in chains that other Services also have lines in. */
  readonly lines: readonly (readonly [table: TableName, chain: string, line: string])[];
}

/**
 * What was written for one node and is the same on others: nearly all Services, since only policy Local and topology
 * hints depend on the node.
 */
export interface WrittenServices {
  readonly of: (plan: Plan, dialect: IptablesDialect, options: EmitOptions) => WrittenForNode;
}

/** What was written under the settings of one node. */
export interface WrittenForNode {
  /** Undefined: nothing yet, or something that does not fit this plan. */
  readonly find: (service: ServicePlan) => WrittenService | undefined;
  /** Keeps the first version for a Service port. */
  readonly keep: (written: WrittenService) => void;
}

export function writtenServices(): WrittenServices {
  const kept = new Map<string, Map<string, WrittenService>>();
  return {
    of: ({ family, node }, dialect, options) => {
      const { nodeIP: _, addresses: __, nodePorts: ___, ...settings } = node;
      const key = JSON.stringify([family, settings satisfies SharedNodePlan, dialect, options]);
      const services = kept.get(key) ?? new Map<string, WrittenService>();
      // Nodes with settings of their own must not make it grow without end.
      if (kept.size < mostSettings) kept.set(key, services);
      return {
        find: (service) => {
          const known = services.get(nameOf(service));
          return known !== undefined && samePlan(known.plan, service) ? known : undefined;
        },
        keep: (written) => {
          const name = nameOf(written.plan);
          if (!services.has(name)) services.set(name, written);
        },
      };
    },
  };
}

const mostSettings = 8;

function nameOf({ port, protocol }: ServicePlan): string {
  return `${servicePortName(port)} ${protocol}`;
}
