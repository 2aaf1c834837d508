import { dialectOf } from '../../dialect/dialectOf.ts';
import type { KubeVersion } from '../../dialect/version.ts';
import { noObjectFacts } from '../../findings/checks/objectFacts.ts';
import type { Finding } from '../../findings/finding.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { everyTool } from '../../node/ruleKinds.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { compileAs } from '../../pipeline/compileAs.ts';
import { expectedRules } from '../../pipeline/expected/expectedRules.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import { proxySeen } from '../../seen/proxySeen.ts';
import { changesOf } from '../compare/changesOf.ts';
import { type Compared, compareManifests } from '../compare/compareManifests.ts';
import { smallerComparison } from '../compare/smallerComparison.ts';
import type { DiffOptions } from '../diffOptions.ts';
import { sampleServices } from './sampleServices.ts';

/** The comparison with one of several versions. */
export interface VersionCompared {
  readonly compiled: Compiled;
  readonly compared: Compared;
}

/**
 * Of several versions, the one from which a dump differs in the fewest rules and findings; the first if there are
 * several. Comparing a large node takes a second and a hundred megabytes, so versions are tried on a sample of the
 * Services first, and then on those that differ.
 */
export function mostLikeVersion(
  compiled: Compiled,
  dump: NodeRules,
  options: DiffOptions,
  versions: readonly KubeVersion[],
): VersionCompared | undefined {
  const candidates = withOwnDialect(compiled, versions);
  const whole = (version: KubeVersion) => compareWhole(compiled, dump, options, version);
  if (candidates.length < 2 || !isLarge(dump)) return fewest(candidates, whole)?.result;
  const likely = likeSample(compiled, dump, options, candidates);
  if (likely === undefined) return fewest(candidates.slice(0, mostTried), whole)?.result;
  const first = whole(likely);
  const differing = differingServices(first.result.compared, proxySeen(dump).names);
  if (differing.size === 0) return first.result;
  // No other version can be closer in what matches this one: a better version differs less where this one differs.
  const count = onSome(compiled, dump, options, differing);
  const better = fewest([likely, ...candidates], count)?.version as KubeVersion;
  if (better === likely) return first.result;
  const second = whole(better);
  return second.differences() < first.differences() ? second.result : first.result;
}

/** The same without a comparison of the whole of a large dump: the version that writes what a sample of Services has. */
export function likelyVersion(
  compiled: Compiled,
  dump: NodeRules,
  options: DiffOptions,
  versions: readonly KubeVersion[],
): Compiled | undefined {
  const candidates = withOwnDialect(compiled, versions);
  const [only, ...others] = candidates;
  if (only === undefined || others.length === 0) return only && compileAs(compiled, only);
  const likely = isLarge(dump) ? likeSample(compiled, dump, options, candidates) : undefined;
  return likely === undefined
    ? mostLikeVersion(compiled, dump, options, versions)?.compiled
    : compileAs(compiled, likely);
}

/** The version that writes what a sample of Services has. Undefined: no rule names a Service, as in IPVS mode. */
function likeSample(
  compiled: Compiled,
  dump: NodeRules,
  options: DiffOptions,
  candidates: readonly KubeVersion[],
): KubeVersion | undefined {
  const { names } = proxySeen(dump);
  const sample = sampleServices(compiled.model.servicePorts, (service) => names.has(service));
  return sample.size === 0 ? undefined : fewest(candidates, onSome(compiled, dump, options, sample))?.version;
}

interface Tried<Result> {
  /** Counted on demand: half a million different rules take as long as the comparison. */
  readonly differences: () => number;
  readonly result: Result;
}

/** The first version with the fewest differences. */
function fewest<Result>(
  versions: readonly KubeVersion[],
  attempt: (version: KubeVersion) => Tried<Result>,
): { readonly version: KubeVersion; readonly result: Result } | undefined {
  let best: { readonly version: KubeVersion; readonly result: Result } | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const version of versions) {
    const { differences: count, result } = attempt(version);
    const differences = count();
    if (differences < least) best = { version, result };
    least = Math.min(least, differences);
    if (least === 0) break;
  }
  return best;
}

/** The versions, except those that write and decide the same as a previous one. */
function withOwnDialect({ model }: Compiled, versions: readonly KubeVersion[]): readonly KubeVersion[] {
  const known = new Set<string>();
  return versions.filter((version) => {
    const dialect = JSON.stringify(dialectOf(model.config.mode, version, model.config.featureGates));
    if (known.has(dialect)) return false;
    known.add(dialect);
    return true;
  });
}

function compareWhole(
  compiled: Compiled,
  dump: NodeRules,
  options: DiffOptions,
  version: KubeVersion,
): Tried<VersionCompared> {
  const other = compileAs(compiled, version);
  const compared = compareManifests(other, dump, { ...options, ...options.factsOf?.(other.model) });
  return { differences: () => differencesOf(compared), result: { compiled: other, compared } };
}

function onSome(compiled: Compiled, dump: NodeRules, options: DiffOptions, services: ReadonlySet<string>) {
  const some = smallerComparison(compiled, dump, services);
  // Most versions write the same for most Services.
  const known = new Map<string, Tried<undefined>>();
  return (version: KubeVersion): Tried<undefined> => {
    const other = some.compiledAs(version);
    const text = textOf(expectedRules(other, { hasNfacct: options.hasNfacct }).rules);
    let tried = known.get(text);
    if (tried === undefined) {
      const compared = compareManifests(other, some.dump, { ...options, ...noObjectFacts });
      const differences = differencesOf(compared);
      tried = { differences: () => differences, result: undefined };
      known.set(text, tried);
    }
    return tried;
  };
}

function textOf(rules: NodeRules): string {
  const texts = everyTool(rules).flatMap(({ family, tables }) =>
    [...tables.values()].flatMap(({ name, chains }) =>
      [...chains.values()].map((chain) => `${family} ${name} ${chain.name} ${chain.policy ?? ''}\n${chain.text}`),
    ),
  );
  return texts.join('\n\n');
}

/** In a piece of a dump, some differences show only in findings. */
function differencesOf(compared: Compared): number {
  return changesOf(compared).length + compared.findings.filter(isOfRules).length;
}

function isOfRules({ isAdvice, severity }: Finding): boolean {
  return isAdvice !== true && severity !== 'info';
}

/** Services that findings report as wrong, up to the number that is tried again. */
function differingServices({ findings }: Compared, named: ReadonlySet<string>): ReadonlySet<string> {
  const services = new Set<string>();
  for (const { service } of findings.filter(isOfRules)) {
    const name = serviceOfPort(service ?? '');
    if (named.has(name) && services.size < mostTriedAgain) services.add(name);
  }
  return services;
}

const mostTriedAgain = 400;

/** At most this many versions are compared with the whole of a large dump. */
const mostTried = 8;

function isLarge(dump: NodeRules): boolean {
  return everyTool(dump).some(({ tables }) => [...tables.values()].some(({ chains }) => chains.size > largeTable));
}

const largeTable = 2000;
