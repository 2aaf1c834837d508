import { fillFix } from '../findings/fillFix.ts';
import type { Finding } from '../findings/finding.ts';
import type { DiffReport } from './diffReport.ts';

/** How to fix a finding, with what its report and the finding itself know in the commands. */
export function fixOf({ fix, service, names }: Finding, report: Pick<DiffReport, 'names'> = {}): string {
  return fillFix(fix, { ...report.names, ...names, ...(service !== undefined && { service }) });
}
