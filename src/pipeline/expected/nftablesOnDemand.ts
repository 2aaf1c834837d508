import type { NftablesDialect } from '../../dialect/nftables/nftablesDialect.ts';
import { emitNftables } from '../../emit/nftables/emitNftables.ts';
import { emitEntrances, emitServicePort } from '../../emit/nftables/servicePort.ts';
import { emitSkeleton } from '../../emit/nftables/skeleton.ts';
import { proxyTable } from '../../emit/nftables/table.ts';
import { applyTransaction } from '../../netfilter/nft/applyTransaction.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import { nftChainKind, type ServiceChainKind } from '../../netfilter/proxyChains.ts';
import { nftRules } from '../../node/nftRules.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import { withTables } from '../../node/withTables.ts';
import type { Plan, ServicePlan } from '../../plan/plan.ts';
import { chainsOnDemand } from './chainsOnDemand.ts';

/**
 * The same rules as `emitNftables` leaves, for somebody who asks for few chains: those of a Service port are written when
 * one of them is asked for.
 */
export function nftablesOnDemand(plan: Plan, dialect: NftablesDialect): readonly ToolRules[] {
  const owners = new Map<string, ServicePlan>();
  function* shared(): Generator<NftCommand, undefined> {
    const table = proxyTable(plan.family, dialect);
    yield* emitSkeleton(table, plan.node);
    for (const service of plan.services) {
      for (const command of emitEntrances(table, plan.node, service)) {
        if (command.object === 'chain') owners.set(command.name, service);
        yield command;
      }
    }
    return undefined;
  }
  // Without the skeleton, elements have no set to go into, and nothing is asked of them here.
  function* alone(service: ServicePlan): Generator<NftCommand, undefined> {
    const table = proxyTable(plan.family, dialect);
    yield table.addTable('');
    yield* emitServicePort(table, plan.node, service);
    return undefined;
  }
  return rulesOf(shared()).map((tool) =>
    withTables(tool, (table) => {
      const chainsOf = (commands: Iterable<NftCommand>) =>
        rulesOf(commands)[0]?.tables.get(table.name)?.chains ?? new Map();
      const chains = chainsOnDemand({
        shared: table.chains,
        kindOf,
        chainsBeside: (name) => {
          const service = owners.get(name);
          return service && chainsOf(alone(service));
        },
        all: () => chainsOf(emitNftables(plan, dialect)),
      });
      return { ...table, chains };
    }),
  );
}

/** With ClientIP affinity each endpoint has a set, too. */
function kindOf(name: string): ServiceChainKind | undefined {
  return name.startsWith('set affinity-') ? 'endpoint' : nftChainKind(name);
}

function rulesOf(commands: Iterable<NftCommand>): readonly ToolRules[] {
  return nftRules(applyTransaction(commands), '');
}
