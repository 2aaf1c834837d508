import type { Compiled } from '../pipeline/compile.ts';
import type { Plan } from '../plan/plan.ts';
import { hasLines, linesOf } from './chainLines.ts';
import type { ChainDiff } from './compare/compareSets.ts';
import type { CompareLevel } from './compare/diffChain.ts';
import { compareByRole } from './compareByRole.ts';
import { detectedPodRange } from './detectedPodRange.ts';
import { detectedVersion } from './detectedVersion.ts';
import type { DiffReport } from './diffReport.ts';
import { expectedRules } from './expected/expectedRules.ts';
import { explainChain } from './explain/explainChain.ts';
import { type ServiceIndex, serviceIndex, serviceName } from './explain/serviceIndex.ts';
import type { Finding, RuleChange } from './finding.ts';
import { commentIn } from './findings/chainChecks.ts';
import { staleChainsOf, userOf } from './findings/chainTargets.ts';
import { dumpChecks } from './findings/dumpChecks.ts';
import { makeFinding } from './findings/makeFinding.ts';
import { manifestChecks } from './findings/manifestChecks.ts';
import type { ObjectFacts } from './findings/objectFacts.ts';
import { isServiceChain } from './foreignPrograms.ts';
import type { NodeDump, RuleSet } from './nodeRules.ts';
import { unknownServices } from './unknownServices.ts';

export interface DiffOptions extends ObjectFacts {
  readonly level: CompareLevel;
  /** `ns/name`: only what is about this Service. */
  readonly service?: string | undefined;
  readonly hasNfacct: boolean;
  /** Only one family was asked for; the other is not missed. */
  readonly family: 'ipv4' | 'ipv6' | 'both';
}

/** What should be on a node against what was dumped there. */
export function diffManifests(compiled: Compiled, dump: NodeDump, options: DiffOptions): DiffReport {
  const notes: string[] = [...dump.notes];
  const { expected, found: foundFamilies } = selectFamilies(compiled, dump, options, notes);
  const indexes = new Map(compiled.plans.map((plan) => [plan.family, serviceIndex(plan)]));
  const findings: Finding[] = [];
  const changes: RuleChange[] = [];
  const diffs: ChainDiff[] = [];
  let foreignRules = 0;
  let renamed = 0;
  for (const set of mainSets(foundFamilies)) {
    const should = expected.find(({ kind, family }) => kind === set.kind && family === set.family);
    if (should === undefined) continue;
    const result = compareByRole(should, set, { level: options.level, hasForeign: false });
    renamed += result.renamed.length;
    foreignRules += result.foreignRules;
    diffs.push(...result.chains);
    if (options.level !== 'roles') changes.push(...result.renamed.slice(0, mostRenamed));
  }
  if (renamed > 0)
    notes.push(`${renamed} chains have other names than this version gives them, and were matched by what they do`);

  const touched = new Set<string>();
  const dangling: ChainDiff[] = [];
  for (const diff of diffs) {
    if (isVoid(diff)) {
      dangling.push(diff);
      continue;
    }
    const index = indexes.get(diff.foundSet.family) as ServiceIndex;
    const explained = explainChain(diff, index);
    findings.push(...explained.findings);
    changes.push(...explained.changes);
    touched.add(`${diff.table} ${diff.chain}`);
  }
  for (const diff of dangling) touched.add(`${diff.table} ${diff.chain}`);
  const equal = equalChains(expected, foundFamilies, touched);
  const tables = new Map<string, Set<string>>();
  for (const { table, chain } of diffs) tables.set(table, (tables.get(table) ?? new Set()).add(chain));
  const isOnlyCompared = mainSets(foundFamilies).length === dump.sets.length;
  const mayDiffer = (table: string, chain?: string) => {
    if (!isOnlyCompared) return true;
    const own = tables.get(table);
    return chain === undefined || own === undefined ? own !== undefined : own.has(chain) || !isServiceChain(chain);
  };
  for (const { finding, about } of dumpChecks(dump, mayDiffer)) {
    if (about !== '' && equal(about)) continue;
    if (isSaid(finding, findings)) continue;
    findings.push(finding);
  }
  explainVoids(dangling, findings, indexes);
  const spoken = servicesSpokenOf(foundFamilies);
  findings.push(
    ...manifestChecks(compiled, dump, options).filter(
      ({ service }) => spoken === undefined || service === undefined || spoken.has(service.replace(/:.*$/, '')),
    ),
  );
  if (diffs.length > 0) {
    findings.push(...detectedVersion(compiled, foundFamilies, notes));
    detectedPodRange(compiled, foundFamilies, notes);
  }
  return reportOf(compiled, dump, options, { findings, changes, notes, foreignRules, families: foundFamilies, diffs });
}

const mostRenamed = 20;

/** The sets that are compared, each family's own; a second back end's dump is only checked. */
function mainSets(sets: readonly RuleSet[]): readonly RuleSet[] {
  return sets.filter((set) => {
    const rivals = sets.filter((other) => other.kind === set.kind && other.family === set.family);
    if (rivals.length === 1) return true;
    const weight = (one: RuleSet) =>
      [...one.tables.values()].reduce((sum, { chains }) => sum + (linesOf(chains.get('KUBE-SERVICES')).length ?? 0), 0);
    const heaviest = rivals.reduce((best, one) => (weight(one) > weight(best) ? one : best));
    return heaviest === set;
  });
}

function selectFamilies(compiled: Compiled, dump: NodeDump, options: DiffOptions, notes: string[]) {
  const found = dump.sets.filter(({ family }) => compiled.plans.some((plan) => plan.family === family));
  const all = expectedRules(compiled, { hasNfacct: options.hasNfacct }, mainSets(found));
  for (const set of dump.sets) {
    if (!found.includes(set)) notes.push(`rules of ${set.family} (${set.files.join(', ')}) were left out`);
  }
  for (const { kind, family } of all) {
    const program = printers[kind];
    if (program === undefined || found.some((set) => set.kind === kind)) continue;
    const note = `what ${program} prints was not given: it is not compared`;
    if (found.some((set) => set.family === family) && !notes.includes(note)) notes.push(note);
  }
  return {
    expected: all.filter((set) => found.some(({ kind, family }) => kind === set.kind && family === set.family)),
    found,
  };
}

/** What shows the parts of IPVS mode that rules do not. */
const printers: Readonly<Partial<Record<RuleSet['kind'], string>>> = {
  ipset: 'ipset save',
  ipvs: 'ipvsadm -Sn',
  addresses: 'ip addr show kube-ipvs0',
};

/** Services that a fragment names; undefined: a whole table speaks of all. */
function servicesSpokenOf(sets: readonly RuleSet[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const { tables } of sets) {
    for (const { isWhole, chains } of tables.values()) {
      if (isWhole) return undefined;
      for (const chain of chains.values())
        for (const line of linesOf(chain)) names.add(commentIn(line).replace(/:.*$/, ''));
    }
  }
  return names;
}

/** A service chain that is only on one side: what leads to it says why. */
function isVoid({ found, expected, chain, foundSet }: ChainDiff): boolean {
  if (foundSet.kind !== 'iptables' || !isServiceChain(chain)) return false;
  return expected === undefined || found === undefined || !hasLines(found);
}

/** `about` names a chain that both sides have and that does not differ. */
function equalChains(expected: readonly RuleSet[], found: readonly RuleSet[], touched: ReadonlySet<string>) {
  return (about: string) => {
    if (touched.has(about)) return false;
    const [table = '', name = ''] = about.split(' ');
    const own = (sets: readonly RuleSet[]) =>
      sets.flatMap(({ kind, tables }) => (kind === 'iptables' ? (tables.get(table)?.chains.get(name) ?? []) : []));
    const dumped = own(found);
    return dumped.some(({ expectedIn }) => expectedIn) || (dumped.length > 0 && own(expected).length > 0);
  };
}

/** The comparison said the same of the same place, or more of it. */
function isSaid(finding: Finding, findings: readonly Finding[]): boolean {
  const rivals = sameMatter.get(finding.id) ?? [finding.id];
  return findings.some(
    (other) =>
      rivals.includes(other.id) &&
      finding.id !== 'K8N105' &&
      (other.service === finding.service ||
        finding.service === undefined ||
        other.found.some(({ line, file }) => finding.found.some((own) => own.line === line && own.file === file))),
  );
}

const sameMatter: ReadonlyMap<string, readonly string[]> = new Map([
  ['K8N302', ['K8N203', 'K8N204', 'K8N302']],
  ['K8N403', ['K8N203', 'K8N204', 'K8N403']],
  ['K8N410', ['K8N410', 'K8N409', 'K8N404']],
  ['K8N404', ['K8N404', 'K8N410', 'K8N409']],
]);

/** Chains that are missing or empty: a jump that is left says it (K8N205); else what leads there was explained. */
function explainVoids(
  diffs: readonly ChainDiff[],
  findings: Finding[],
  indexes: ReadonlyMap<string, ServiceIndex>,
): void {
  const mentioned = new Set(findings.map(({ service }) => service));
  for (const diff of diffs) {
    if (diff.expected === undefined || diff.missing.length === 0) continue;
    const owner = diff.expected.owner;
    const name = owner ? serviceName(owner) : undefined;
    const nat = diff.foundSet.tables.get('nat');
    if ((nat !== undefined && userOf(nat, diff.chain) !== undefined) || mentioned.has(name)) continue;
    mentioned.add(name);
    const index = indexes.get(diff.foundSet.family) as ServiceIndex;
    const { findings: own } = explainChain(diff, index);
    findings.push(...own);
    if (own.length === 0) {
      findings.push(
        makeFinding('K8N204', { seen: `the chain ${diff.chain} is missing`, ...(name && { service: name }) }),
      );
    }
  }
}

function reportOf(
  compiled: Compiled,
  dump: NodeDump,
  options: DiffOptions,
  parts: {
    readonly findings: readonly Finding[];
    readonly changes: readonly RuleChange[];
    readonly notes: readonly string[];
    readonly foreignRules: number;
    readonly families: readonly RuleSet[];
    readonly diffs: readonly ChainDiff[];
  },
): DiffReport {
  const isAbout = (service: string | undefined) =>
    options.service === undefined || service === options.service || service?.startsWith(`${options.service}:`) === true;
  const findings = parts.findings.filter(({ service }) => isAbout(service));
  const changes = options.service === undefined ? parts.changes : [];
  const plans = compiled.plans.filter(({ family }) => parts.families.some((set) => set.family === family));
  const stale = findings.filter(({ id }) => id === 'K8N206');
  return {
    kind: 'diffReport',
    comparison: 'manifests',
    expectedName: 'manifests',
    foundName: dump.name,
    summary: {
      ...countServices(plans, findings, options.service, servicesSpokenOf(parts.families)),
      staleChains: stale.length === 0 ? 0 : staleChains(dump),
      foreignRules: parts.foreignRules,
    },
    findings,
    changes,
    chains: parts.diffs,
    unread: dump.unread,
    notes: parts.notes,
  };
}

function staleChains(dump: NodeDump): number {
  let count = 0;
  for (const set of dump.sets) {
    const nat = set.kind === 'iptables' ? set.tables.get('nat') : undefined;
    if (nat?.isWhole) count += staleChainsOf(nat).length;
  }
  return count;
}

function countServices(
  plans: readonly Plan[],
  findings: readonly Finding[],
  only: string | undefined,
  spoken: ReadonlySet<string> | undefined,
) {
  const bare = (name: string) => name.replace(/:.*$/, '');
  const known = new Set(plans.flatMap(({ services }) => services.map(({ port }) => `${port.namespace}/${port.name}`)));
  const names = new Set(known);
  for (const name of known) {
    if ((only !== undefined && name !== only) || spoken?.has(name) === false) names.delete(name);
  }
  const about = findings.filter(({ isAdvice, severity }) => !isAdvice && severity !== 'info');
  const missing = new Set<string>();
  const differ = new Set<string>();
  for (const { service, id, seen } of about) {
    if (service === undefined || !names.has(bare(service))) continue;
    (id === 'K8N201' && seen.startsWith('no rule for cluster IP') ? missing : differ).add(bare(service));
  }
  for (const name of missing) differ.delete(name);
  return {
    services: names.size,
    same: names.size - missing.size - differ.size,
    missing: missing.size,
    differ: differ.size,
    extra: unknownServices(findings, known),
  };
}
