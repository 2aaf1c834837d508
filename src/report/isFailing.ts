import type { Finding } from '../findings/finding.ts';

/** The finding says that the dump is not what it should be: it makes a comparison fail by itself. */
export function isFailing(finding: Finding): boolean {
  return !finding.isAdvice && finding.severity !== 'info';
}
