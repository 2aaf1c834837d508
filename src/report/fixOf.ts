import { fillFix } from '../findings/fillFix.ts';
import type { Finding } from '../findings/finding.ts';
import type { DiffReport } from './diffReport.ts';

/** How to fix a finding; its commands contain what the report and the finding know. */
export function fixOf({ fix, service, names }: Finding, report: Pick<DiffReport, 'names'> = {}): string {
  return fillFix(fix, { ...report.names, ...names, ...(service !== undefined && { service }) });
}
