import type { Fingerprint as FingerprintOf } from '../../fingerprint.ts';
import type { IptablesDialect } from '../iptablesDialect.ts';
import type { DumpedChains } from './dumpedChains.ts';

export type IptablesFingerprint = FingerprintOf<IptablesDialect>;

/**
 * Looks for one axis of the dialect table that leaves a trace in a dump; nothing is found where the dump does not show
 * it. What another program or an old iptables could also cause is no fingerprint.
 */
export type FindFingerprints = (facts: DumpedChains) => readonly IptablesFingerprint[];
