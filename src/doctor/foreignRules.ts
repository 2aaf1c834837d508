import type { ValueRange } from '../common/ranges/valueRange.ts';
import type { Step } from '../netfilter/meaning.ts';
import { conditionsOf } from '../trace/service/conditionsOf.ts';
import { isOfProxy } from '../walk/input/isOfProxy.ts';
import { sharedWalkChains } from '../walk/input/walkChains.ts';
import type { WalkInput, WalkRule } from '../walk/input/walkInput.ts';

/** A rule of another program that can stop a packet or send it elsewhere, and what it asks for. */
export interface ForeignRule {
  readonly rule: WalkRule;
  /** Undefined: any. */
  readonly destinations: readonly ValueRange[] | undefined;
  readonly ports: readonly ValueRange[] | undefined;
}

/** Of all chains that are not kube-proxy's, as far as they are few: more would be a list of addresses. */
export function foreignRules(input: WalkInput): readonly ForeignRule[] {
  const found: ForeignRule[] = [];
  for (const table of input.tables) {
    for (const chain of sharedWalkChains(table.chains)) {
      if (isOfProxy(chain)) continue;
      for (const rule of chain.rules()) {
        if (!rule.steps.some((step) => mayInterfere(step, chain.base?.kind === 'nat' || table.name === 'nat')))
          continue;
        found.push({ rule, destinations: rangesOf(rule, 'destination'), ports: rangesOf(rule, 'destinationPort') });
        if (found.length >= mostRules) return found;
      }
    }
  }
  return found;
}

const mostRules = 5000;

function mayInterfere(step: Step, isNat: boolean): boolean {
  switch (step.kind) {
    case 'reject':
    case 'notrack':
      return true;
    case 'verdict':
      return step.verdict === 'drop' || (isNat && (step.verdict === 'accept' || step.verdict === 'return'));
    case 'nat':
      return step.half === 'destination';
    default:
      return false;
  }
}

/** Several conditions on one field are one after the other: the first tells enough to look for Services. */
function rangesOf({ steps }: WalkRule, field: 'destination' | 'destinationPort'): readonly ValueRange[] | undefined {
  for (const condition of conditionsOf(steps)) {
    if (
      condition.kind === 'values' &&
      condition.field === field &&
      condition.mask === undefined &&
      !condition.isOutside
    )
      return condition.ranges;
  }
  return undefined;
}
