import type { Ruleset } from '../netfilter/iptables/ast.ts';
import type { Dialect } from './dialect.ts';
import { dialectOf } from './dialectOf.ts';
import { dumpFacts } from './dumpFacts.ts';
import { knownVersions } from './knownVersions.ts';
import { externalMarks } from './marks/externalMarks.ts';
import { fixedMarks } from './marks/fixedMarks.ts';
import { serviceMarks } from './marks/serviceMarks.ts';
import type { KubeVersion } from './version.ts';

/** Which kube-proxy versions could have written a dump, and why. */
export interface Detection {
  /** Oldest first; all known ones if nothing tells, none if marks contradict each other. */
  readonly versions: readonly KubeVersion[];
  /** What was seen that tells versions apart, strongest first. */
  readonly marks: readonly FoundMark[];
}

export interface FoundMark {
  /** What stands in the dump, in words: `chain KUBE-XLB-…`. */
  readonly seen: string;
  /** How many of the known versions it leaves. */
  readonly leaves: number;
}

/**
 * Tells the version of kube-proxy that wrote iptables rules. Every mark is a value of the dialect table that shows in a
 * dump; a version is named if it has all values that show. Whole tables say more than fragments: only of a table that
 * was dumped whole does it count that something is missing.
 */
export function detectVersions(dumps: readonly Ruleset[]): Detection {
  const facts = dumpFacts(dumps);
  const candidates = knownVersions().map((version) => ({ version, dialect: dialectOf(version) }));
  const found: { seen: string; allows: (dialect: Dialect) => boolean; leaves: number }[] = [];
  for (const mark of [...fixedMarks, ...serviceMarks, ...externalMarks]) {
    for (const { seen, allows } of mark(facts)) {
      const leaves = candidates.filter(({ dialect }) => allows(dialect)).length;
      if (leaves < candidates.length) found.push({ seen, allows, leaves });
    }
  }
  const versions = candidates
    .filter(({ dialect }) => found.every(({ allows }) => allows(dialect)))
    .map(({ version }) => version);
  const marks = found.map(({ seen, leaves }) => ({ seen, leaves })).sort((a, b) => a.leaves - b.leaves);
  return { versions, marks };
}
