import type { DumpedRules } from '../../dumpedRules.ts';
import { dumpedChains } from './dumpedChains.ts';
import { externalFingerprints } from './externalFingerprints.ts';
import type { Fingerprint } from './fingerprint.ts';
import { fixedFingerprints } from './fixedFingerprints.ts';
import { serviceFingerprints } from './serviceFingerprints.ts';

/** What tells versions of iptables mode apart in a dump. */
export function iptablesFingerprints({ iptables }: DumpedRules): readonly Fingerprint[] {
  const facts = dumpedChains(iptables);
  return [...fixedFingerprints, ...serviceFingerprints, ...externalFingerprints].flatMap((find) => [...find(facts)]);
}
