import { compareByRole } from '../compare/compareByRole.ts';
import type { ChainDiff } from '../compare/compareSets.ts';
import { userOf } from '../findings/checks/chainTargets.ts';
import { dumpChecks } from '../findings/checks/dumpChecks.ts';
import { makeFinding } from '../findings/checks/makeFinding.ts';
import { manifestChecks } from '../findings/checks/manifestChecks.ts';
import { explainChain } from '../findings/explain/explainChain.ts';
import { type ServiceIndex, serviceIndex, serviceName } from '../findings/explain/serviceIndex.ts';
import type { Finding, RuleChange } from '../findings/finding.ts';
import { hasLines, linesOf } from '../node/chainLines.ts';
import { isServiceChain } from '../node/foreignPrograms.ts';
import type { NodeDump, RuleSet } from '../node/nodeRules.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { detectedPodRange } from './detectedPodRange.ts';
import type { DiffOptions } from './diffOptions.ts';
import { expectedRules } from './expected/expectedRules.ts';
import { servicesSpokenOf } from './servicesSpokenOf.ts';

/** What came of comparing the manifests, as one version of kube-proxy writes them, with a dump. */
export interface Compared {
  readonly findings: readonly Finding[];
  /** Differences that no finding explains. */
  readonly changes: readonly RuleChange[];
  readonly notes: readonly string[];
  readonly foreignRules: number;
  /** The dump's rules of families that are compared. */
  readonly families: readonly RuleSet[];
  readonly diffs: readonly ChainDiff[];
}

/** Compares and explains what should be on a node with what was dumped there. */
export function compareManifests(compiled: Compiled, dump: NodeDump, options: DiffOptions): Compared {
  const notes: string[] = [...dump.notes];
  const { expected, found: foundFamilies } = selectFamilies(compiled, dump, options, notes);
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

  const indexes = new Map(
    diffs.length === 0 ? [] : compiled.plans.map((plan) => [plan.family, serviceIndex(plan)] as const),
  );
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
  if (diffs.length > 0) detectedPodRange(compiled, foundFamilies, notes);
  return { findings, changes, notes, foreignRules, families: foundFamilies, diffs };
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
