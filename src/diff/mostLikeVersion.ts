import type { RuleChange } from '../compare/ruleChange.ts';
import type { KubeVersion } from '../dialect/version.ts';
import type { Finding } from '../findings/finding.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { everyTool } from '../node/ruleKinds.ts';
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

/** Of several versions the one that a dump differs from in the fewest rules and findings; the first of several such. */
export function mostLikeVersion(
  compiled: Compiled,
  dump: NodeRules,
  options: DiffOptions,
  versions: readonly KubeVersion[],
): VersionCompared | undefined {
  let best: VersionCompared | undefined;
  let least = Number.POSITIVE_INFINITY;
  const tried = new Set<string>();
  const most = isLarge(dump) ? mostTried : Number.POSITIVE_INFINITY;
  for (const version of versions) {
    const other = compileAs(compiled, version);
    const dialect = JSON.stringify(other.dialect);
    if (tried.has(dialect)) continue;
    if (tried.size === most) break;
    tried.add(dialect);
    const compared = compareManifests(other, dump, options);
    const changes = changesOf(compared);
    // Of a piece of a dump some differences show in findings alone.
    const count = changes.length + compared.findings.filter(isOfRules).length;
    if (count < least) best = { compiled: other, compared, changes };
    least = Math.min(least, count);
    if (count === 0) break;
  }
  return best;
}

function isOfRules({ isAdvice, severity }: Finding): boolean {
  return isAdvice !== true && severity !== 'info';
}

/** At most so many versions are compared with a large dump, which takes a second for each. */
const mostTried = 8;

function isLarge(dump: NodeRules): boolean {
  return everyTool(dump).some(({ tables }) => [...tables.values()].some(({ chains }) => chains.size > largeTable));
}

const largeTable = 2000;
