import type { ChainDiff } from '../compare/compareSets.ts';
import type { RuleChange } from '../compare/ruleChange.ts';
import type { Finding } from '../findings/finding.ts';
import type { FixNames } from '../findings/fixNames.ts';
import type { UnreadLine } from '../node/lines/unreadLine.ts';

/** The result of a comparison; every output form is made only from this. */
export interface DiffReport {
  readonly kind: 'diffReport';
  /** What was compared: `manifests` with dumps, two dumps, several nodes, or one dump alone. */
  readonly comparison: 'manifests' | 'dumps' | 'nodes' | 'doctor';
  readonly expectedName: string;
  readonly foundName: string;
  readonly summary: DiffSummary;
  readonly findings: readonly Finding[];
  /** Facts about the node that fixes need. */
  readonly names?: FixNames;
  /** Differences that no finding explains, by table and chain. */
  readonly changes: readonly RuleChange[];
  /** The chains that differ, complete on both sides, for forms that show the lines around a change. */
  readonly chains?: readonly ChainDiff[];
  /** Lines of the dumps that could not be read. */
  readonly unread: readonly UnreadLine[];
  /** Remarks about the comparison itself (lossy input, version detected, fragment, folded families). */
  readonly notes: readonly string[];
}

/** `12 Services: 10 same, 1 missing, 1 differs; 3 stale chains; 214 foreign rules folded`. */
export interface DiffSummary {
  readonly services: number;
  readonly same: number;
  readonly missing: number;
  readonly differ: number;
  /** Services that the dump cannot show, or of which it lost lines; missing: none. */
  readonly notCompared?: number;
  /** Services in the dump that no manifest names: by name, or without one by address. */
  readonly extra: number;
  readonly staleChains: number;
  readonly foreignRules: number;
  /** Rules that a side may hold in lines that its dump lost: whether it has them is unknown. None: absent. */
  readonly notShown?: number;
  /** Of one dump alone, which lost lines: what is wrong in them is unknown. */
  readonly hasLostLines?: true;
}
