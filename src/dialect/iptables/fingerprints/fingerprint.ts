import type { Dialect } from '../iptablesDialect.ts';
import type { DumpFacts } from './dumpFacts.ts';

/** Something that a dump shows, and the dialects that write it. */
export interface Fingerprint {
  readonly seen: string;
  readonly allows: (dialect: Dialect) => boolean;
}

/**
 * Looks for one axis of the dialect table that leaves a trace in a dump; nothing is found where the dump does not show
 * it. What another program or an old iptables could also cause is no mark.
 */
export type FindFingerprints = (facts: DumpFacts) => readonly Fingerprint[];
