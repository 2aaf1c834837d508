import type { Value } from '../../common/ranges/valueRange.ts';
import type { WalkContext } from '../../walk/context.ts';
import { chainRules } from '../../walk/input/chainRules.ts';
import { isOfOneService } from '../../walk/input/isOfOneService.ts';
import type { WalkChain, WalkRule } from '../../walk/input/walkInput.ts';
import { chainLedTo, type Mention, mentionsOf } from './ruleMentions.ts';
import { sharedChains } from './sharedChains.ts';

/**
 * Ports that rules ask for behind a rule or an element that asks for one address alone, with this address: rules of
 * policies have a chain for each Pod, and ask for ports there.
 */
export function portsWithin(context: WalkContext): readonly Mention[] {
  const found: Mention[] = [];
  const known = new Map<WalkChain, readonly Mention[]>();
  for (const [chain, addresses] of entrances(context)) {
    const ports = known.get(chain) ?? portsBehind(chain, context);
    known.set(chain, ports);
    for (const value of addresses) {
      const address = { first: value, last: value };
      for (const mention of ports) found.push({ ...mention, address });
    }
  }
  return found;
}

/** Chains to which rules or elements for a single address lead, with these addresses. */
function entrances(context: WalkContext): ReadonlyMap<WalkChain, ReadonlySet<Value>> {
  const entrances = new Map<WalkChain, Set<Value>>();
  for (const table of context.input.tables) {
    const note = (name: string | undefined, { address, port }: Mention) => {
      const chain = name === undefined ? undefined : table.chains.get(name);
      if (chain === undefined || isOfOneService(chain) || port !== undefined) return;
      if (address === undefined || address.first !== address.last) return;
      entrances.set(chain, (entrances.get(chain) ?? new Set()).add(address.first));
    };
    for (const chain of sharedChains(table, context)) {
      for (const rule of chainRules(chain, context)) {
        // Most rules of a large node lead to a chain of one Service, and are not read for this.
        const called = chainLedTo(rule.steps);
        const isLeading = called !== undefined && !isOfOneService({ name: called });
        if (!isLeading && !rule.steps.some(({ kind }) => kind === 'verdictMap')) continue;
        for (const mention of mentionsOf(rule, context)) note(chainOf(mention) ?? called, mention);
      }
    }
  }
  return entrances;
}

/** The chain to which an element of a map leads. */
function chainOf({ origin }: Mention): string | undefined {
  const verdict = origin.kind === 'element' ? origin.element.verdict : undefined;
  return verdict !== undefined && 'chain' in verdict ? verdict.chain : undefined;
}

/** What the rules of a chain, and of those that it leads to, ask for beside an address. */
function portsBehind(start: WalkChain, context: WalkContext): readonly Mention[] {
  const ports = new Map<string, Mention>();
  const chains = new Set([start]);
  // Iterating over a Set also reaches what is added on the way.
  for (const chain of chains) {
    for (const rule of chainRules(chain, context)) {
      for (const mention of mentionsOf(rule, context)) {
        const { protocol, port } = mention;
        if (mention.address === undefined && port !== undefined)
          ports.set(`${protocol?.first}-${protocol?.last} ${port.first}-${port.last}`, mention);
      }
      const called = calledBy(rule);
      if (called !== undefined && !isOfOneService(called)) chains.add(called);
    }
  }
  return [...ports.values()];
}

function calledBy(rule: WalkRule): WalkChain | undefined {
  const name = chainLedTo(rule.steps);
  return name === undefined ? undefined : rule.chain.table.chains.get(name);
}
