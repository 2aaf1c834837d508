import { onDemand } from '../common/onDemand.ts';
import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import type { DialectIn, SpellingIn } from './dialect.ts';
import { dialectOf } from './dialectOf.ts';
import type { DumpedRules } from './dumpedRules.ts';
import type { Fingerprint } from './fingerprint.ts';
import { iptablesFingerprints } from './iptables/fingerprints/iptablesFingerprints.ts';
import { ipvsFingerprints } from './ipvs/ipvsFingerprints.ts';
import { knownVersions } from './knownVersions.ts';
import { nftablesFingerprints } from './nftables/nftablesFingerprints.ts';
import type { PlanDialect } from './plan/planDialect.ts';
import { userspaceFingerprints } from './userspace/userspaceFingerprints.ts';
import type { KubeVersion } from './version.ts';

/** Which kube-proxy versions could have written a dump, and why. */
export interface Detection {
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
 * Tells the version of kube-proxy that wrote the rules of a mode. Every fingerprint is a value of the mode's dialect table
 * that shows in a dump; a version is named if it has all values that show. Whole tables say more than fragments: only of a
 * table that was dumped whole does it count that something is missing.
 */
export function detectVersions<M extends ProxyMode>(mode: M, dumped: DumpedRules): Detection {
  return detect(candidates[mode], fingerprints[mode](dumped));
}

const fingerprints: {
  readonly [M in ProxyMode]: (dumped: DumpedRules) => readonly Fingerprint<SpellingIn<M>>[];
} = {
  iptables: iptablesFingerprints,
  ipvs: ipvsFingerprints,
  nftables: nftablesFingerprints,
  userspace: userspaceFingerprints,
};

interface Candidate<T> {
  readonly version: KubeVersion;
  readonly spelling: T;
  readonly plan: PlanDialect;
}

/** All known versions of each mode; a process may look at many dumps. */
const candidates = onDemand<{ readonly [M in ProxyMode]: readonly Candidate<SpellingIn<M>>[] }>({
  iptables: () => candidatesOf('iptables'),
  ipvs: () => candidatesOf('ipvs'),
  nftables: () => candidatesOf('nftables'),
  userspace: () => candidatesOf('userspace'),
});

function candidatesOf<M extends ProxyMode>(mode: M): readonly Candidate<SpellingIn<M>>[] {
  return knownVersions(mode).map((version) => ({ version, ...(dialectOf(mode, version) as DialectIn<M>) }));
}

function detect<T>(all: readonly Candidate<T>[], fingerprints: readonly Fingerprint<T>[]): Detection {
  const found: (FoundFingerprint & Fingerprint<T>)[] = [];
  for (const { seen, allows } of fingerprints) {
    const leaves = all.filter(({ spelling, plan }) => allows(spelling, plan)).length;
    const isNew = !found.some((other) => other.seen === seen && other.leaves === leaves);
    if (leaves < all.length && isNew) found.push({ seen, allows, leaves });
  }
  const versions = all
    .filter(({ spelling, plan }) => found.every(({ allows }) => allows(spelling, plan)))
    .map(({ version }) => version);
  const told = found.map(({ seen, leaves }) => ({ seen, leaves })).sort((a, b) => a.leaves - b.leaves);
  return { versions, fingerprints: told };
}
