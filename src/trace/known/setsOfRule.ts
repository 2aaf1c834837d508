import type { WalkRule } from '../../walk/input/walkInput.ts';
import { flatConditions } from '../service/conditionsOf.ts';

/** The sets and maps that a rule asks or writes to. */
export function setsOfRule(rule: WalkRule): readonly string[] {
  if (rule.entrance !== undefined) return none;
  const names: string[] = [];
  for (const step of rule.steps) {
    if (step.kind === 'ask') {
      for (const condition of flatConditions(step.condition)) {
        const asked = condition.kind === 'not' ? condition.condition : condition;
        if (asked.kind === 'ipset') names.push(asked.set);
        if (asked.kind === 'lookup' && typeof asked.set === 'string') names.push(asked.set);
      }
    }
    if (step.kind === 'verdictMap' && typeof step.map === 'string') names.push(step.map);
    if (step.kind === 'remember' || step.kind === 'rememberIpset') names.push(step.set);
  }
  return names;
}

const none: readonly string[] = [];
