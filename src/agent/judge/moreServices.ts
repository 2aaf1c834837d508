import type { DiffReport } from '../../public/core.ts';

/** A report whose summary counts further Services, which differ in nothing. */
export function moreServices(
  report: DiffReport,
  { services, same }: Pick<DiffReport['summary'], 'services' | 'same'>,
): DiffReport {
  const { summary } = report;
  return { ...report, summary: { ...summary, services: summary.services + services, same: summary.same + same } };
}
