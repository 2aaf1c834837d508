import type { Condition, InterfaceName } from '../../netfilter/meaning.ts';
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
  const noteChain = (chain: WalkChain) => {
    for (const { steps } of chainRules(chain, context)) {
      for (const step of steps) if (step.kind === 'ask') note(step.condition, found);
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

function note(condition: Condition, found: Map<string, InterfaceName>): void {
  switch (condition.kind) {
    case 'all':
    case 'any':
      for (const each of condition.conditions) note(each, found);
      return;
    case 'not':
      note(condition.condition, found);
      return;
    case 'interface':
      for (const name of condition.names) found.set(`${name.text}${name.isPrefix}`, name);
  }
}
