import { flowDestination } from '../../trace/show/flowDestination.ts';
import type { TraceResult } from '../../trace/traceResult.ts';
import { approximate } from '../../walk/values/fraction.ts';
import type { CauseDraft } from '../cause.ts';

/** Chance decides: how often it fails, and for which endpoints. */
export function someWaysOnly({ outcomes }: TraceResult, failing: readonly number[]): CauseDraft {
  const chosen = failing.flatMap((at) => outcomes[at] ?? []);
  const share = chosen.reduce(
    (sum, { share: own }) => sum + (own === undefined ? 1 / outcomes.length : approximate(own)),
    0,
  );
  const names = [...new Set(chosen.map(({ first }) => flowDestination(first.flow)))].slice(0, mostNamed).join(', ');
  return {
    code: 'some-ways-only',
    what: `It fails ${(share * 100).toFixed(0)} % of the time: when chance chooses ${names}.`,
    evidence: [],
    fix: 'Fix what fails for these endpoints.',
  };
}

const mostNamed = 5;
