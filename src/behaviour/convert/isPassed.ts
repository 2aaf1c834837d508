import type { ConversionCheck } from './checkConversion.ts';

/** Nothing else changes than what a migration of the same Services names, and nothing else is unknown. */
export function isPassed({ comparison, besideOthers, unexplained, open }: ConversionCheck): boolean {
  return unexplained.length + besideOthers.length + open.length + comparison.skipped.length === 0;
}
