import type { BehaviourComparison } from './compareBehaviour.ts';

/** What a comparison comes to. Where nothing could be compared, nothing is known. */
export function behaviourVerdict({ findings, open, families }: BehaviourComparison): 'same' | 'different' | 'unknown' {
  if (findings.length > 0) return 'different';
  return open.length > 0 || families.length === 0 ? 'unknown' : 'same';
}
