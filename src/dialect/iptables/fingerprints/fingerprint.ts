import type { PlanDialect } from '../../plan/planDialect.ts';
import type { IptablesDialect } from '../iptablesDialect.ts';
import type { DumpFacts } from './dumpFacts.ts';

/** Something that a dump shows, and the dialects that write it. */
export interface Fingerprint {
  readonly seen: string;
  readonly allows: (dialect: IptablesDialect, plan: PlanDialect) => boolean;
}

/**
 * Looks for one axis of the dialect table that leaves a trace in a dump; nothing is found where the dump does not show
 * it. What another program or an old iptables could also cause is no fingerprint.
 */
export type FindFingerprints = (facts: DumpFacts) => readonly Fingerprint[];
