import type { RuleChange } from '../compare/ruleChange.ts';
import type { KubeVersion } from '../dialect/version.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { compileAs } from '../pipeline/compileAs.ts';
import { changesOf } from './changesOf.ts';
import { type Compared, compareManifests } from './compareManifests.ts';
import type { DiffOptions } from './diffOptions.ts';

/** The comparison with one of several versions. */
export interface VersionCompared {
  readonly compiled: Compiled;
  readonly compared: Compared;
  readonly changes: readonly RuleChange[];
}

/** Of several versions the one that a dump differs from in the fewest rules; the first of several such. */
export function mostLikeVersion(
  compiled: Compiled,
  dump: NodeRules,
  options: DiffOptions,
  versions: readonly KubeVersion[],
): VersionCompared | undefined {
  let best: VersionCompared | undefined;
  const tried = new Set<string>();
  for (const version of versions) {
    const other = compileAs(compiled, version);
    const dialect = JSON.stringify(other.dialect);
    if (tried.has(dialect)) continue;
    if (tried.size === mostTried) break;
    tried.add(dialect);
    const compared = compareManifests(other, dump, options);
    const changes = changesOf(compared);
    if (best === undefined || changes.length < best.changes.length) best = { compiled: other, compared, changes };
    if (changes.length === 0) break;
  }
  return best;
}

/** At most so many versions are compared with: a large dump takes a second for each. */
const mostTried = 8;
