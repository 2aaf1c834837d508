import type { BehaviourOptions } from './behaviour/behaviourOptions.ts';
import type { BehaviourComparison } from './behaviour/compareBehaviour.ts';
import type { ConversionCheck } from './behaviour/convert/checkConversion.ts';
import type { Conversion } from './behaviour/convert/convertObjects.ts';
import type { MigrationTarget } from './behaviour/migrate/migrateObjects.ts';
import type { Migration } from './behaviour/migrate/migration.ts';
import type { Reach, ReachOptions } from './behaviour/reach.ts';
import type { Diagnostic, Report } from './diagnostics/diagnostic.ts';
import type { CompiledForDump } from './diff/compileForDump.ts';
import type { DumpDiffOptions } from './diff/diffDumps.ts';
import type { DiffOptions } from './diff/diffOptions.ts';
import type { DumpFile } from './dump/dumpFile.ts';
import type { ReadOptions } from './dump/readDumps.ts';
import type { ObjectFacts } from './findings/checks/objectFacts.ts';
import type { Imported, ImportOptions } from './import/importRules.ts';
import type { Loaded } from './load/load.ts';
import type { TextFile } from './load/loadTexts.ts';
import { noSources } from './load/noSources.ts';
import { unpackLoaded } from './load/unpackLoaded.ts';
import type { ExpectedRules } from './node/expectedRules.ts';
import type { NodeRules } from './node/nodeRules.ts';
import type { NodeFiles, NodeFilesOptions } from './output/nodeFiles.ts';
import type { Compiled } from './pipeline/compile.ts';
import { type CompileOptions, compileInput } from './pipeline/compileInput.ts';
import type { PolicyOptions } from './pipeline/judgeConnection.ts';
import type { LintOptions } from './pipeline/lint.ts';
import type { TestOutcome, TestRequest } from './policy/testPolicy.ts';
import type { DiffReport } from './report/diffReport.ts';
import type { ReportForm } from './report/renderReport.ts';
import type { TargetOptions } from './resolve/targetOptions.ts';
import type { TraceObjects } from './trace/nodeTracer.ts';

/**
 * The program as functions, without files and without a terminal: all of this works in a browser too. Problems go to a
 * `report` callback and are never thrown. Each function loads the code it needs when it is called.
 */

/** The rules of a node, and what objects say of its Services and its network. */
export interface BehaviourInput {
  readonly rules: NodeRules;
  readonly objects?: TraceObjects;
}

/** How the objects are compiled today, and what for. */
export interface MigrateOptions extends CompileOptions {
  readonly to: MigrationTarget;
  readonly dump?: NodeRules | undefined;
}

/** Whose rules are converted, and what for. */
export interface ConvertOptions extends Omit<ImportOptions, 'isForRules'> {
  readonly to: MigrationTarget;
  /** Default: the families that the dump shows. */
  readonly family?: TargetOptions['family'];
}

/** What a dump was converted to, and what of it was read back. */
export interface Converted extends Conversion {
  readonly imported: Imported;
}

export type {
  BehaviourComparison,
  BehaviourOptions,
  Compiled,
  CompiledForDump,
  CompileOptions,
  ConversionCheck,
  Diagnostic,
  DiffReport,
  DumpDiffOptions,
  DumpFile,
  Imported,
  ImportOptions,
  LintOptions,
  Loaded,
  Migration,
  NodeFiles,
  NodeRules,
  Reach,
  ReachOptions,
  Report,
  ReportForm,
  TargetOptions,
  TestOutcome,
  TestRequest,
  TextFile,
};

/** Reads manifests whose texts are at hand: YAML with any number of documents, JSON, Lists. */
export async function loadTexts(files: readonly TextFile[], report: Report): Promise<Loaded> {
  const { loadTexts: read } = await import('./load/loadTexts.ts');
  return unpackLoaded(await read(files, report), report);
}

/**
 * Objects to everything that is decided about one node's rules. Undefined: an error was reported. What a manifest lacks
 * (cluster IPs, node ports) is filled in, with a warning each, unless `allocates` is false.
 */
export async function compile(
  objects: Loaded['objects'],
  options: CompileOptions,
  report: Report,
): Promise<Compiled | undefined> {
  const input = compileInput(objects, options, report);
  return input && (await import('./pipeline/compile.ts')).compile(input, report);
}

/**
 * The same for a comparison with one dump: settings that were not given, and values that only a cluster knows, are those
 * that the dump shows.
 */
export async function compileForDump(
  objects: Loaded['objects'],
  dump: NodeRules,
  options: CompileOptions,
  report: Report,
): Promise<CompiledForDump | undefined> {
  const input = compileInput(objects, options, report);
  return input && (await import('./diff/compileForDump.ts')).compileForDump(input, dump, report);
}

/**
 * Everything that is to be said of manifests: what `compile` says, and what goes wrong although the API server takes it.
 * Undefined: an error was reported.
 */
export async function lint(
  objects: Loaded['objects'],
  options: LintOptions,
  report: Report,
): Promise<Compiled | undefined> {
  const { cni, ...target } = options;
  const input = compileInput(objects, target, report);
  return input && (await import('./pipeline/lint.ts')).lint(input, cni, report);
}

/** The files of a node, by name: `iptables.v4.save`, `nft.v4.restore`, `apply.sh` …; each text is made when it is asked for. */
export async function print(
  compiled: Compiled,
  report: Report,
  options: Partial<NodeFilesOptions> = {},
): Promise<NodeFiles> {
  const { nodeFiles } = await import('./output/nodeFiles.ts');
  return nodeFiles(
    compiled,
    { hasNfacct: false, policy: { backend: undefined }, isPolicyOnly: false, ...options },
    report,
  );
}

/** What kube-proxy's rules on the node should be, as data. */
export async function rulesOf(compiled: Compiled, hasNfacct = false): Promise<ExpectedRules['rules']> {
  return (await import('./pipeline/expectedRules.ts')).expectedRules(compiled, { hasNfacct }).rules;
}

/** Reads the dumps of one node: what iptables-save, nft, ipset, ipvsadm, ip, conntrack and bridge print, whole or in parts. */
export async function readDump(files: readonly DumpFile[], options: ReadOptions): Promise<NodeRules> {
  return (await import('./dump/readDumps.ts')).readDumps(files, options);
}

/** The canonical text of a node, in pieces. */
export async function canonicalText(node: NodeRules): Promise<Iterable<string>> {
  return (await import('./node/canonicalText.ts')).canonicalText(node);
}

/** What should be on a node against what the dump shows that it was compiled for, explained by Service. */
export async function diff(
  expected: CompiledForDump,
  options: Partial<Omit<DiffOptions, keyof ObjectFacts>> = {},
): Promise<DiffReport> {
  const { diffNode } = await import('./diff/diffNode.ts');
  return diffNode(expected, {
    level: 'rules',
    hasNfacct: false,
    family: 'both',
    ...options,
  });
}

/** Two dumps of one node or of two. */
export async function diffDumps(
  before: NodeRules,
  after: NodeRules,
  options: Partial<DumpDiffOptions> = {},
): Promise<DiffReport> {
  return (await import('./diff/diffDumps.ts')).diffDumps(before, after, {
    level: 'rules',
    hasForeign: false,
    ...options,
  });
}

/** Several nodes of one cluster, two at least: what the others have beside the one that most agree with. */
export async function diffNodes(
  nodes: readonly NodeRules[],
  options: Partial<DumpDiffOptions> = {},
): Promise<DiffReport> {
  return (await import('./diff/diffNodes.ts')).diffNodes(nodes, { level: 'rules', hasForeign: false, ...options });
}

/** What is wrong with a dump by itself. */
export async function diagnose(dump: NodeRules): Promise<DiffReport> {
  return (await import('./diff/diagnoseDump.ts')).diagnoseDump(dump);
}

/** A report in one of its forms, in pieces and without colours. `sources` (of `load`) give manifests their line numbers. */
export async function renderReport(
  report: DiffReport,
  form: ReportForm,
  sources: Loaded['sources'] = noSources,
): Promise<Iterable<string>> {
  const [{ renderReport: render }, { createLocator }, { plainReportStyle }] = await Promise.all([
    import('./report/renderReport.ts'),
    import('./load/locate.ts'),
    import('./report/reportStyle.ts'),
  ]);
  const places = report.findings.flatMap(({ expected }) => expected);
  return render(report, form, { locate: await createLocator(sources, places), style: plainReportStyle });
}

/** Whether the NetworkPolicies of the objects let a connection pass. Undefined: an error was reported. */
export async function policy(
  objects: Loaded['objects'],
  request: TestRequest,
  report: Report,
  options: PolicyOptions = {},
): Promise<TestOutcome | undefined> {
  return (await import('./pipeline/judgeConnection.ts')).judgeConnection(objects, request, report, options);
}

/** What two nodes do to packets, whatever their rules say: each class of packets that fares otherwise, with one of them. */
export async function compareBehaviour(
  a: BehaviourInput,
  b: BehaviourInput,
  options: BehaviourOptions = {},
): Promise<BehaviourComparison> {
  const [{ compareBehaviour: compare }, { behaviourSide }] = await behaviourModules();
  return compare(
    behaviourSide(a.rules.name, a.rules, a.objects),
    behaviourSide(b.rules.name, b.rules, b.objects),
    options,
  );
}

/** Who reaches what through the rules of a node, by whom they are answered and with which source. */
export async function reach(input: BehaviourInput, options: ReachOptions = {}): Promise<Reach> {
  const [, { behaviourSide }, { reach: walk }] = await behaviourModules();
  return walk(behaviourSide(input.rules.name, input.rules, input.objects), options);
}

/** Rules that were compiled, with the Services and the network that the objects tell of, for those two. */
export async function behaviourInput(compiled: Compiled): Promise<BehaviourInput> {
  return (await import('./trace/objectsOfManifests.ts')).objectsOfManifests(compiled, false);
}

/**
 * What changes for these Services if kube-proxy runs in another mode or version, what that needs, and how to get there.
 * With a dump of a node kube-proxy's mode and version are those that it shows, and rules of others are looked at.
 * Undefined: an error was reported.
 */
export async function migrate(
  objects: Loaded['objects'],
  options: MigrateOptions,
  report: Report,
): Promise<Migration | undefined> {
  const { to, dump, ...from } = options;
  const input = compileInput(objects, from, report);
  return input && (await import('./behaviour/migrate/migrateObjects.ts')).migrateObjects(input, to, dump, report);
}

/**
 * Reads manifests back from the rules of a node: the Services, endpoints and settings of which kube-proxy makes them.
 * Undefined: no rules of kube-proxy were found, which was reported.
 */
export async function importRules(
  dump: NodeRules,
  options: ImportOptions,
  report: Report,
): Promise<Imported | undefined> {
  return (await import('./import/importRules.ts')).importRules(dump, options, report);
}

/** Imported manifests as text: YAML with remarks on what was made up, or a List in JSON; in pieces. */
export async function printImported(imported: Imported, form: 'yaml' | 'json' = 'yaml'): Promise<Iterable<string>> {
  if (form === 'json') return (await import('./import/manifests/printJson.ts')).printJson(imported.manifests);
  const [{ printYaml }, { importTitle }] = await Promise.all([
    import('./import/manifests/printYaml.ts'),
    import('./import/importTitle.ts'),
  ]);
  return printYaml(imported.manifests, importTitle(imported));
}

/**
 * The rules of a node as those of another mode or version of kube-proxy: what is read back from them, compiled for it.
 * Undefined: an error was reported.
 */
export async function convert(
  dump: NodeRules,
  { to, family, ...from }: ConvertOptions,
  report: Report,
): Promise<Converted | undefined> {
  const { convertDump } = await import('./behaviour/convert/convertDump.ts');
  return convertDump(dump, { ...from, family }, to, loadTexts, report);
}

/** Whether converted rules do to every packet what those of the dump do, beside what modes are known to do otherwise. */
export async function checkConversion(converted: Conversion, dump: NodeRules): Promise<ConversionCheck> {
  return (await import('./behaviour/convert/checkConversion.ts')).checkConversion(converted, dump);
}

function behaviourModules() {
  return Promise.all([
    import('./behaviour/compareBehaviour.ts'),
    import('./behaviour/behaviourSide.ts'),
    import('./behaviour/reach.ts'),
  ]);
}
