import type { ServicePlan } from '../../../plan/plan.ts';
import type { TableName } from '../ruleSink.ts';

/** The rules of one Service port in iptables mode, as iptables-save prints them. */
export interface WrittenService {
  readonly plan: ServicePlan;
  /** Whole chains of its own. */
  readonly chains: readonly (readonly [name: string, text: string])[];
  /** Lines in chains that other Services also have lines in. */
  readonly lines: readonly (readonly [table: TableName, chain: string, line: string])[];
}

/** The same while it is written. */
export interface WrittenDraft extends WrittenService {
  readonly chains: [name: string, text: string][];
  readonly lines: [table: TableName, chain: string, line: string][];
  /** It leads to a chain that the node has only if a rule needs it. */
  isOfNode: boolean;
}

export function writtenDraft(plan: ServicePlan): WrittenDraft {
  return { plan, chains: [], lines: [], isOfNode: false };
}

/** What one Service port adds to the text for iptables-restore: chain lines and rules of both tables. */
export interface RestoreTexts {
  filterChains: string;
  filterRules: string;
  natChains: string;
  natRules: string;
}
