import type { Condition, Step, ValueRange } from '../../netfilter/meaning.ts';
import type { WalkContext } from '../../walk/context.ts';
import { chainRules } from '../../walk/input/chainRules.ts';
import { isOfOneService } from '../shape/isOfOneService.ts';

/**
 * The networks of Pods, as kube-proxy's rules of a Service know them: who sends from elsewhere is masqueraded
 * (`! -s 10.244.0.0/16`). All Services have the same: some of their chains are read.
 */
export function podRanges(context: WalkContext): readonly ValueRange[] {
  const found = new Map<string, ValueRange>();
  for (const table of context.input.tables) {
    let read = 0;
    for (const chain of table.chains.values()) {
      // In IPVS mode one chain marks what goes to all of them.
      if (!isOfOneService(chain) && (chain.name !== 'KUBE-SERVICES' || context.input.ipvs.length === 0)) continue;
      read += 1;
      if (read > mostRead) break;
      for (const { steps } of chainRules(chain, context)) {
        if (!steps.some(marks)) continue;
        for (const step of steps) if (step.kind === 'ask') note(step.condition, false, found);
      }
    }
  }
  return [...found.values()];
}

const mostRead = 200;

/** What is marked here is masqueraded; rules of source ranges ask alike, and drop. */
function marks(step: Step): boolean {
  if (step.kind === 'assign') return step.target === 'mark';
  return step.kind === 'jump' && (step.chain === 'KUBE-MARK-MASQ' || step.chain === 'mark-for-masquerade');
}

function note(condition: Condition, isNot: boolean, found: Map<string, ValueRange>): void {
  switch (condition.kind) {
    case 'all':
      for (const each of condition.conditions) note(each, isNot, found);
      return;
    case 'not':
      note(condition.condition, !isNot, found);
      return;
    case 'values': {
      const isOutside = (condition.isOutside === true) !== isNot;
      if (condition.field !== 'source' || !isOutside || condition.mask !== undefined) return;
      for (const range of condition.ranges) {
        if (range.first !== range.last) found.set(`${range.first}-${range.last}`, range);
      }
    }
  }
}
