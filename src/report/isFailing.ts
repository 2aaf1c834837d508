import type { Finding } from '../findings/finding.ts';

/** The finding says that the dump is not as it should be: alone it makes a comparison fail. */
export function isFailing(finding: Finding): boolean {
  return !finding.isAdvice && finding.severity !== 'info';
}
