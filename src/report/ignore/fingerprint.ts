import { sha256 } from '../../common/sha256.ts';
import type { RuleChange } from '../../compare/ruleChange.ts';
import type { Finding } from '../../findings/finding.ts';

/**
 * A short name of a finding that stays the same from run to run, wherever its lines and files have moved: it is made
 * from the id, the Service and what is seen. Baselines and SARIF use it to distinguish known findings from new ones.
 */
export function findingFingerprint({ code, service, what }: Pick<Finding, 'code' | 'service' | 'what'>): string {
  return shortHash([code, service ?? '', what]);
}

/** The same for a rule that no finding explains. */
export function changeFingerprint(
  change: Pick<RuleChange, 'table' | 'chain' | 'expected' | 'found' | 'isMoved'>,
): string {
  const { table, chain, expected, found, isMoved } = change;
  return shortHash([table, chain, expected ?? null, found ?? null, isMoved ?? false]);
}

function shortHash(parts: readonly unknown[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 16);
}
