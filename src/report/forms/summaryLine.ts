import { count } from '../../common/text/count.ts';
import type { DiffReport } from '../diffReport.ts';

/**
 * `12 Services: 10 same, 1 missing, 1 differs, 2 unknown; 3 stale chains; 214 foreign rules folded`. The first number
 * counts Services in the manifests, or in the first of two dumps, without the unknown ones; for several nodes the line
 * is about the one that differs most. Counts of zero are left out, except that of the same Services: readers should not
 * have to guess. Rules that are not shown are counted if all Services were compared.
 */
export function summaryLine({ summary, comparison, findings }: DiffReport): string {
  const { services, same, missing, differ, notCompared = 0, extra, staleChains, foreignRules, notShown = 0 } = summary;
  const parts = [`${same} same`];
  if (missing > 0) parts.push(`${missing} missing`);
  if (differ > 0) parts.push(`${differ} ${differ === 1 ? 'differs' : 'differ'}`);
  if (notCompared > 0) parts.push(`${notCompared} not compared`);
  if (extra > 0) parts.push(`${extra} unknown`);
  const ofServices =
    comparison === 'doctor' ? count(services, 'Service') : `${count(services, 'Service')}: ${parts.join(', ')}`;
  // People who read one line read this one.
  const isWithoutProxy = findings.some(({ code }) => code === 'K8N111');
  return [
    isWithoutProxy ? `No rule of kube-proxy is in the dump; ${ofServices}` : ofServices,
    ...(staleChains > 0 ? [count(staleChains, 'stale chain')] : []),
    ...(notShown > 0 && notCompared === 0 ? [`${count(notShown, 'rule')} not shown`] : []),
    ...(foreignRules > 0 ? [`${count(foreignRules, 'foreign rule')} folded`] : []),
  ].join('; ');
}
