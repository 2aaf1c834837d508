import { onDemand } from '../../common/onDemand.ts';
import type { IptablesDialect } from '../../dialect/iptables/iptablesDialect.ts';
import type { EmitOptions } from '../../emit/iptables/emitOptions.ts';
import { serviceChainKind } from '../../netfilter/proxyChains.ts';
import { equalChains } from '../../node/chains/equalChains.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { withTables } from '../../node/withTables.ts';
import type { Plan } from '../../plan/plan.ts';
import { servicePortName } from '../../plan/servicePortName.ts';
import { chainsOnDemand } from './chainsOnDemand.ts';
import { expectedIptables } from './expectedIptables.ts';

/**
 * The same as `expectedIptables` for somebody who asks for few chains: those of a Service port are written when one of
 * them is asked for.
 */
export function iptablesOnDemand(plan: Plan, dialect: IptablesDialect, options: EmitOptions): ToolRules {
  const write = (skipsEndpoints: boolean, services = plan.services) =>
    expectedIptables({ ...plan, services }, dialect, options, {
      found: undefined,
      equal: equalChains(),
      written: undefined,
      ...(skipsEndpoints && { skipsEndpoints }),
    });
  const natOf = ({ tables }: ToolRules) => tables.get('nat') as RuleTable;
  const first = write(true);
  const nat = natOf(first);
  const made = onDemand({
    services: () => new Map(plan.services.map((service) => [servicePortName(service.port), service])),
  });
  const chains = chainsOnDemand({
    shared: nat.chains,
    kindOf: serviceChainKind,
    // Nothing shows whose the chain of an endpoint is.
    chainsBeside: (name) => {
      const service = made.services.get(nat.chains.get(name)?.owner ?? '');
      return service && natOf(write(false, [service])).chains;
    },
    all: () => natOf(write(false)).chains,
  });
  return withTables(first, (table) => (table === nat ? { ...nat, chains } : table));
}
