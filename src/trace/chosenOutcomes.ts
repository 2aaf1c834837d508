import { type Fraction, fraction, plus } from '../walk/values/fraction.ts';
import { trailItems } from '../walk/values/trail.ts';
import type { TraceResult } from './traceResult.ts';

/** Only the ways through all of these chains; shares are relative to them. Undefined: there are none. */
export function chosenOutcomes(result: TraceResult, chains: readonly string[]): TraceResult | undefined {
  if (chains.length === 0) return result;
  const chosen = result.outcomes.filter(({ first }) => {
    const names = new Set(trailItems(first.flow.path).map(({ chain }) => chain.name));
    return chains.every((chain) => names.has(chain));
  });
  let sum: Fraction | undefined = fraction(0, 1);
  for (const { share } of chosen) sum = sum && share && plus(sum, share);
  const whole = sum;
  if (chosen.length === 0) return undefined;
  const outcomes = chosen.map((outcome) => {
    const { share } = outcome;
    const own = share && whole && whole.num > 0n ? fraction(share.num * whole.den, share.den * whole.num) : undefined;
    return { ...outcome, share: own };
  });
  return { ...result, outcomes };
}
