import type { Ended } from '../walk/hooks/walkHook.ts';
import { type Fraction, plus } from '../walk/values/fraction.ts';
import { trailItems } from '../walk/values/trail.ts';
import type { FlowOutcome } from '../walk/walkFlow.ts';
import type { TracedOutcome } from './traceResult.ts';

/** Combines outcomes that nothing distinguishes, and sorts them. */
export function mergeOutcomes(outcomes: readonly FlowOutcome[]): readonly TracedOutcome[] {
  const merged = new Map<string, TracedOutcome>();
  for (const outcome of outcomes) {
    const key = wayKey(outcome.first);
    const known = merged.get(key);
    const { share } = outcome.first.flow;
    if (known === undefined) merged.set(key, { ...outcome, share });
    else merged.set(key, { ...known, share: known.share && share && plus(known.share, share) });
  }
  return [...merged.values()].sort((a, b) => compareShares(b.share, a.share));
}

function wayKey({ flow, end }: Ended): string {
  const events = trailItems(flow.path).map(({ hook, leg, chain, rule, verdict, target }) => {
    const { table } = chain;
    return `${hook} ${leg} ${table.backend} ${table.family} ${table.name} ${chain.name} ${rule?.number ?? ''} ${verdict} ${target ?? ''}`;
  });
  const { packet } = flow;
  const ends = [packet.source, packet.destination, packet.sourcePort, packet.destinationPort].map((values) =>
    (values ?? []).map(({ first, last }) => `${first}-${last}`).join(','),
  );
  return [...events, end.kind, 'why' in end ? end.why : '', ...ends, flow.mark, flow.outInterface ?? ''].join('\n');
}

/**
 * kube-proxy's probabilities are rounded: shares that are meant to be equal are not exactly, and then the order of the chain is
 * easier to read.
 */
function compareShares(a: Fraction | undefined, b: Fraction | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  return Number(millionths(a) - millionths(b));
}

function millionths({ num, den }: Fraction): bigint {
  return (num * 1_000_000n + den / 2n) / den;
}
