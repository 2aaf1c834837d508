import type { Finding, FindingSeverity } from '../findings/finding.ts';

/** How many findings there are of each severity; advice is counted separately. */
export function countSeverities(findings: readonly Finding[]): Readonly<Record<FindingSeverity | 'advice', number>> {
  const counts = { error: 0, warning: 0, info: 0, advice: 0 };
  for (const finding of findings) counts[finding.isAdvice ? 'advice' : finding.severity] += 1;
  return counts;
}
