import type { DumpedRules } from '../../dumpedRules.ts';
import { dumpedChains } from './dumpedChains.ts';
import { externalFingerprints } from './externalFingerprints.ts';
import type { IptablesFingerprint } from './fingerprint.ts';
import { fixedFingerprints } from './fixedFingerprints.ts';
import { serviceFingerprints } from './serviceFingerprints.ts';

/** What tells versions of iptables mode apart in a dump. */
export function iptablesFingerprints({ iptables }: DumpedRules): readonly IptablesFingerprint[] {
  // Each family by itself: what one has and the other lacks says nothing.
  const facts = iptables.map((ruleset) => dumpedChains([ruleset]));
  const finders = [...fixedFingerprints, ...serviceFingerprints, ...externalFingerprints];
  return facts.flatMap((own) => finders.flatMap((find) => [...find(own)]));
}
