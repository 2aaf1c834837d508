import { onlyValue } from '../../common/ranges/valueSet.ts';
import type { Step } from '../../netfilter/meaning.ts';
import { askRate } from '../ask/askRate.ts';
import { lookedUp } from '../ask/lookedUp.ts';
import { seenKeyText } from '../ask/seenKeyText.ts';
import type { FlowPart, WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import type { WalkRule } from '../input/walkInput.ts';
import { addressText } from '../values/text.ts';
import { remembered, setList } from './memory.ts';

/**
 * The packet adds itself to a set, or removes itself; then the limits of the element decide whether the rule continues.
 */
export function fillSet(
  flow: Flow,
  step: Extract<Step, { kind: 'remember' }>,
  rule: WalkRule,
  context: WalkContext,
): readonly FlowPart[] {
  const key = seenKeyText(flow, step.key, context);
  const list = setList(rule.chain.table, step.set);
  const isDelete = step.operation === 'delete';
  const value = valueText(flow, step, context);
  let parts: readonly FlowPart[] = [
    {
      flow: key === undefined ? flow : remembered(flow, list, key, isDelete ? undefined : context.elapsed, value),
      holds: true,
    },
  ];
  for (const limit of isDelete ? [] : (step.limits ?? [])) {
    parts = parts.flatMap((part): readonly FlowPart[] => {
      if (!part.holds) return [part];
      const answer = askRate(part.flow, limit, rule, context, { list: `limit ${list}`, key: key ?? '*' });
      return typeof answer === 'boolean' ? [{ flow: part.flow, holds: answer }] : answer;
    });
  }
  return parts;
}

/** What a map contains for the key from now on, in the form of a listing. */
function valueText(
  flow: Flow,
  { value }: Extract<Step, { kind: 'remember' }>,
  context: WalkContext,
): string | undefined {
  const looked = value && lookedUp(flow, value, context);
  const only = looked === undefined || typeof looked === 'string' ? looked : onlyValue(looked);
  if (only === undefined || typeof only === 'string') return only;
  const isAddress = value?.kind === 'field' && /source$|destination$/i.test(value.field);
  return isAddress ? addressText(only) : String(only);
}
