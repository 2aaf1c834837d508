import { addTo } from '../../common/addTo.ts';
import type { Finding } from '../../findings/finding.ts';
import { findingCatalogue } from '../../problems/findingCatalogue.ts';
import type { FindingCode } from '../../problems/problemCode.ts';
import { isFailing } from '../isFailing.ts';

/** How often a finding was made, and what it means. */
export interface CodeCount {
  readonly code: FindingCode;
  readonly count: number;
  readonly title: string;
}

/** Findings that a long report has more than once, most often first; empty: a short one is read as a whole. */
export function codeCounts(findings: readonly Finding[]): readonly CodeCount[] {
  const failing = findings.filter(isFailing);
  if (failing.length <= longest) return [];
  const byCode = new Map<FindingCode, Finding[]>();
  for (const finding of failing) addTo(byCode, finding.code, finding);
  return [...byCode]
    .map(([code, own]) => ({ code, count: own.length, title: findingCatalogue[code].title }))
    .filter(({ count }) => count > 1)
    .sort((a, b) => b.count - a.count)
    .slice(0, mostCodes);
}

const mostCodes = 8;

/** So many findings are read one by one. */
const longest = 20;
