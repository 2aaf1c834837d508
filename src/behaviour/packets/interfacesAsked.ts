import type { Condition, InterfaceName } from '../../netfilter/meaning.ts';
import { plainConditions } from '../../netfilter/plainConditions.ts';
import type { WalkContext } from '../../walk/context.ts';
import { chainRules } from '../../walk/input/chainRules.ts';
import type { WalkChain } from '../../walk/input/walkInput.ts';
import { sharedChains } from '../shape/sharedChains.ts';

/**
 * Names of interfaces that rules match. Chains of Service ports match the interfaces of Pods, all of them the same:
 * some chains are read.
 */
export function interfacesAsked(context: WalkContext): readonly InterfaceName[] {
  const found = new Map<string, InterfaceName>();
  const note = (condition: Condition) => {
    if (condition.kind !== 'interface') return;
    for (const name of condition.names) found.set(`${name.text}${name.isPrefix}`, name);
  };
  const noteChain = (chain: WalkChain) => {
    for (const { steps } of chainRules(chain, context)) {
      for (const step of steps) if (step.kind === 'ask') plainConditions(step.condition).forEach(note);
    }
  };
  for (const table of context.input.tables) {
    const shared = new Set(sharedChains(table, context));
    for (const chain of shared) noteChain(chain);
    let alike = 0;
    for (const chain of table.chains.values()) {
      if (shared.has(chain)) continue;
      if (++alike > mostAlike) break;
      noteChain(chain);
    }
  }
  return [...found.values()];
}

const mostAlike = 200;
