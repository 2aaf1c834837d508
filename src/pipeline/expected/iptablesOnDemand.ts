import { mapOnDemand } from '../../common/mapOnDemand.ts';
import { onDemand } from '../../common/onDemand.ts';
import type { IptablesDialect } from '../../dialect/iptables/iptablesDialect.ts';
import type { EmitOptions } from '../../emit/iptables/emitOptions.ts';
import { isServiceChain, serviceChainKind } from '../../netfilter/proxyChains.ts';
import type { TableChains } from '../../node/chains/byteChains.ts';
import type { ChainChoice } from '../../node/chains/chainChoice.ts';
import { equalChains } from '../../node/chains/equalChains.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import type { Plan } from '../../plan/plan.ts';
import { servicePortName } from '../../plan/servicePortName.ts';
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
  const first = write(true);
  const nat = first.tables.get('nat') as RuleTable;
  const made = onDemand({
    services: () => new Map(plan.services.map((service) => [servicePortName(service.port), service])),
    all: () => write(false),
  });
  const known = new Map<string, RuleChain>();
  const keep = ({ tables }: ToolRules) => {
    for (const chain of tables.get('nat')?.chains.values() ?? []) {
      if (isServiceChain(chain.name) && !known.has(chain.name)) known.set(chain.name, chain);
    }
  };
  const get = (name: string): RuleChain | undefined => {
    const shared = nat.chains.get(name);
    if (!isServiceChain(name)) return shared;
    if (known.has(name)) return known.get(name);
    const service = made.services.get(shared?.owner ?? '');
    if (service !== undefined) keep(write(false, [service]));
    // Nothing shows whose the chain of an endpoint is.
    else keep(made.all);
    return known.get(name);
  };
  function* all(): Generator<RuleChain, undefined> {
    keep(made.all);
    for (const { name } of made.all.tables.get('nat')?.chains.values() ?? []) yield get(name) as RuleChain;
    return undefined;
  }
  const chains = mapOnDemand({
    get,
    has: (name) => get(name) !== undefined,
    count: () => made.all.tables.get('nat')?.chains.size ?? 0,
    values: all,
    nameOf: ({ name }: RuleChain) => name,
  });
  function* some(choice: ChainChoice): Generator<RuleChain, undefined> {
    if ('names' in choice) {
      yield* all();
      return undefined;
    }
    for (const name of nat.chains.keys()) {
      const kind = serviceChainKind(name);
      const chain = kind === undefined || choice.kinds(kind) ? get(name) : undefined;
      if (chain !== undefined) yield chain;
    }
    // These are written with those of their Service, and after them all have to be.
    if (choice.kinds('endpoint'))
      for (const chain of all()) if (serviceChainKind(chain.name) === 'endpoint') yield chain;
    return undefined;
  }
  const table = { ...nat, chains: Object.assign(chains, { some }) satisfies TableChains };
  return { ...first, tables: new Map([...first.tables].map(([name, own]) => [name, name === 'nat' ? table : own])) };
}
