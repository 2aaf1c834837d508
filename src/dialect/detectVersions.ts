import type { Ruleset } from '../netfilter/iptables/ast.ts';
import { dialectOf } from './dialectOf.ts';
import { type DumpFacts, dumpFacts } from './iptables/fingerprints/dumpFacts.ts';
import { externalFingerprints } from './iptables/fingerprints/externalFingerprints.ts';
import type { Fingerprint } from './iptables/fingerprints/fingerprint.ts';
import { fixedFingerprints } from './iptables/fingerprints/fixedFingerprints.ts';
import { serviceFingerprints } from './iptables/fingerprints/serviceFingerprints.ts';
import { knownVersions } from './knownVersions.ts';
import { userspaceFingerprints } from './userspace/userspaceFingerprints.ts';
import type { KubeVersion } from './version.ts';

/** Which kube-proxy versions could have written a dump, and why. */
export interface Detection {
  readonly mode: 'iptables' | 'userspace';
  /** Oldest first; all known ones if nothing tells, none if fingerprints contradict each other. */
  readonly versions: readonly KubeVersion[];
  /** What was seen that tells versions apart, strongest first. */
  readonly fingerprints: readonly FoundFingerprint[];
}

export interface FoundFingerprint {
  /** What stands in the dump, in words: `chain KUBE-XLB-…`. */
  readonly seen: string;
  /** How many of the known versions it leaves. */
  readonly leaves: number;
}

/**
 * Tells the version of kube-proxy that wrote iptables rules. Every fingerprint is a value of the dialect table that shows in a
 * dump; a version is named if it has all values that show. Whole tables say more than fragments: only of a table that
 * was dumped whole does it count that something is missing.
 */
export function detectVersions(dumps: readonly Ruleset[]): Detection {
  const facts = dumpFacts(dumps);
  if (isUserspace(facts)) return detectUserspace(facts);
  const candidates = knownVersions('iptables').map((version) => ({ version, ...dialectOf('iptables', version) }));
  const found: (Fingerprint & { leaves: number })[] = [];
  for (const find of [...fixedFingerprints, ...serviceFingerprints, ...externalFingerprints]) {
    for (const { seen, allows } of find(facts)) {
      const leaves = candidates.filter(({ spelling, plan }) => allows(spelling, plan)).length;
      if (leaves < candidates.length) found.push({ seen, allows, leaves });
    }
  }
  const versions = candidates
    .filter(({ spelling, plan }) => found.every(({ allows }) => allows(spelling, plan)))
    .map(({ version }) => version);
  const fingerprints = found.map(({ seen, leaves }) => ({ seen, leaves })).sort((a, b) => a.leaves - b.leaves);
  return { mode: 'iptables', versions, fingerprints };
}

/** kube-proxy wrote its chains in userspace mode, and none of iptables mode beside them. */
function isUserspace({ chains, rules }: DumpFacts): boolean {
  const names = [...chains, ...rules.keys()];
  return names.some((name) => name.startsWith('nat KUBE-PORTALS-')) && !names.includes('nat KUBE-SERVICES');
}

function detectUserspace(facts: DumpFacts): Detection {
  const candidates = knownVersions('userspace').map((version) => ({ version, ...dialectOf('userspace', version) }));
  const found = userspaceFingerprints(facts).map((fingerprint) => ({
    ...fingerprint,
    leaves: candidates.filter(({ spelling, plan }) => fingerprint.allows(spelling, plan)).length,
  }));
  const versions = candidates
    .filter(({ spelling, plan }) => found.every(({ allows }) => allows(spelling, plan)))
    .map(({ version }) => version);
  const told = found.map(({ seen, leaves }) => ({ seen, leaves })).sort((a, b) => a.leaves - b.leaves);
  const seen = 'chains of userspace mode, which kube-proxy 1.26 has no more';
  return { mode: 'userspace', versions, fingerprints: [...told, { seen, leaves: candidates.length }] };
}
