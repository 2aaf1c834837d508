import type { Distribution } from './distribution.ts';

/** `unknown`: rules with an unknown result leave both open. */
export type DistributionComparison = 'same' | 'different' | 'unknown';

export function compareDistributions(a: Distribution, b: Distribution, tolerance: number): DistributionComparison {
  if (a.isOpen || b.isOpen) return compareOpen(a, b);
  for (const [key, { outcome, share }] of a.outcomes) {
    const other = b.outcomes.get(key);
    if (Math.abs(share - (other?.share ?? 0)) > tolerance) return 'different';
    if (other !== undefined && outcome.staysFor !== other.outcome.staysFor) return 'different';
  }
  for (const [key, { share }] of b.outcomes) if (!a.outcomes.has(key) && share > tolerance) return 'different';
  return 'same';
}

/**
 * They are the same only if each side has a single, equal outcome; they differ only if the sides have no outcome in
 * common and all are known.
 */
function compareOpen(a: Distribution, b: Distribution): DistributionComparison {
  const [first] = a.outcomes.keys();
  if (a.outcomes.size === 1 && b.outcomes.size === 1 && first !== undefined && b.outcomes.has(first)) return 'same';
  const isUnknown = [...a.outcomes.values(), ...b.outcomes.values()].some(({ outcome }) => outcome.kind === 'unknown');
  return isUnknown || [...a.outcomes.keys()].some((key) => b.outcomes.has(key)) ? 'unknown' : 'different';
}
