import type { BehaviourOptions } from '../behaviour/behaviourOptions.ts';
import type { BehaviourComparison } from '../behaviour/compareBehaviour.ts';
import type { ConversionCheck } from '../behaviour/convert/checkConversion.ts';
import type { Migration } from '../behaviour/migrate/migration.ts';
import type { Reach, ReachOptions } from '../behaviour/reach/reach.ts';
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import type { CompiledForDump } from '../diff/compileForDump.ts';
import type { ModeDetection } from '../diff/detectDumped.ts';
import type { DumpDiffOptions } from '../diff/diffDumps.ts';
import type { DiffOptions } from '../diff/diffOptions.ts';
import type { DumpFile } from '../dump/dumpFile.ts';
import type { ReadOptions } from '../dump/readDumps.ts';
import type { ObjectFacts } from '../findings/checks/objectFacts.ts';
import type { Finding } from '../findings/finding.ts';
import type { Imported, ImportOptions } from '../import/importRules.ts';
import type { Loaded } from '../load/load.ts';
import type { TextFile } from '../load/loadTexts.ts';
import { noSources } from '../load/noSources.ts';
import type { Cluster } from '../model/cluster.ts';
import type { ExpectedRules } from '../node/expectedRules.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { NodeFiles, NodeFilesOptions } from '../output/nodeFiles.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { type CompileOptions, compileInput } from '../pipeline/compileInput.ts';
import type { EndpointHome } from '../pipeline/endpointHomes.ts';
import type { JudgeOptions } from '../pipeline/judgeConnection.ts';
import type { LintOptions } from '../pipeline/lint.ts';
import type { ModeCounts } from '../pipeline/modeCounts.ts';
import type { ReadPolicies } from '../pipeline/readPolicies.ts';
import type { TestOutcome, TestRequest } from '../policy/testPolicy.ts';
import type { DiffReport } from '../report/diffReport.ts';
import type { ReportForm } from '../report/renderReport.ts';
import type { TargetOptions } from '../resolve/targetOptions.ts';
import type { NodeTracer, TraceObjects } from '../trace/nodeTracer.ts';

/**
 * The program as functions, without files and without a terminal: all of this works in a browser too. Problems go to a
 * `report` callback and are never thrown. Each function loads the code it needs when it is called.
 */

// biome-ignore lint/performance/noBarrelFile: with api.ts the package's entry; each function loads its code on demand.
export * from './aid.ts';
export * from './answers.ts';
export * from './behaviour.ts';
export { loadTexts, unpackObjects } from './loadTexts.ts';
export * from './problems.ts';
export * from './screen.ts';
export * from './serviceMap.ts';
export * from './stages.ts';

export type {
  BehaviourComparison,
  BehaviourOptions,
  Cluster,
  Compiled,
  CompiledForDump,
  CompileOptions,
  ConversionCheck,
  Diagnostic,
  DiffReport,
  DumpDiffOptions,
  DumpFile,
  EndpointHome,
  Imported,
  ImportOptions,
  LintOptions,
  Loaded,
  Migration,
  ModeCounts,
  ModeDetection,
  NodeFiles,
  NodeRules,
  NodeTracer,
  Reach,
  ReachOptions,
  ReadPolicies,
  Report,
  ReportForm,
  TargetOptions,
  TestOutcome,
  TestRequest,
  TextFile,
};

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
  return input && (await import('../pipeline/compile.ts')).compile(input, report);
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
  return input && (await import('../diff/compileForDump.ts')).compileForDump(input, dump, report);
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
  const { cni, certificates, ...target } = options;
  const input = compileInput(objects, target, report);
  return input && (await import('../pipeline/lint.ts')).lint(input, { cni, certificates }, report);
}

/** The files of a node, by name: `iptables.v4.save`, `nft.v4.restore`, `apply.sh` …; each text is made when it is asked for. */
export async function print(
  compiled: Compiled,
  report: Report,
  options: Partial<NodeFilesOptions> = {},
): Promise<NodeFiles> {
  const { nodeFiles } = await import('../output/nodeFiles.ts');
  return nodeFiles(
    compiled,
    { hasNfacct: false, policy: { backend: undefined }, isPolicyOnly: false, ...options },
    report,
  );
}

/** What kube-proxy's rules on the node should be, as data. */
export async function rulesOf(compiled: Compiled, hasNfacct = false): Promise<ExpectedRules['rules']> {
  return (await import('../pipeline/expectedRules.ts')).expectedRules(compiled, { hasNfacct }).rules;
}

/** Reads the dumps of one node: what iptables-save, nft, ipset, ipvsadm, ip, conntrack and bridge print, whole or in parts. */
export async function readDump(files: readonly DumpFile[], options: ReadOptions): Promise<NodeRules> {
  return (await import('../dump/readDumps.ts')).readDumps(files, options);
}

/** The canonical text of a node, in pieces. */
export async function canonicalText(node: NodeRules): Promise<Iterable<string>> {
  return (await import('../node/canonicalText.ts')).canonicalText(node);
}

/** What should be on a node against what the dump shows that it was compiled for, explained by Service. */
export async function diff(
  expected: CompiledForDump,
  options: Partial<Omit<DiffOptions, keyof ObjectFacts>> = {},
): Promise<DiffReport> {
  const { diffNode } = await import('../diff/diffNode.ts');
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
  return (await import('../diff/diffDumps.ts')).diffDumps(before, after, {
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
  return (await import('../diff/diffNodes.ts')).diffNodes(nodes, { level: 'rules', hasForeign: false, ...options });
}

/** What is wrong with a dump by itself; `further`: what was found beside it. */
export async function diagnose(
  dump: NodeRules,
  objects?: TraceObjects,
  further: readonly Finding[] = [],
): Promise<DiffReport> {
  return (await import('../doctor/diagnoseNode.ts')).diagnoseNode(dump, objects, further);
}

/** A report in one of its forms, in pieces and without colours. `sources` (of `load`) give manifests their line numbers. */
export async function renderReport(
  report: DiffReport,
  form: ReportForm,
  sources: Loaded['sources'] = noSources,
): Promise<Iterable<string>> {
  const [{ renderReport: render }, { createLocator }, { plainReportStyle }] = await Promise.all([
    import('../report/renderReport.ts'),
    import('../load/locate.ts'),
    import('../report/reportStyle.ts'),
  ]);
  const places = report.findings.flatMap(({ expected }) => expected);
  return render(report, form, { locate: await createLocator(sources, places), style: plainReportStyle });
}

/** Whether the NetworkPolicies of the objects let a connection pass. Undefined: an error was reported. */
export async function policy(
  objects: Loaded['objects'],
  request: TestRequest,
  report: Report,
  options: JudgeOptions = {},
): Promise<TestOutcome | undefined> {
  return (await import('../pipeline/judgeConnection.ts')).judgeConnection(objects, request, report, options);
}

/** The same of many connections: the objects are read once. */
export async function policies(
  objects: Loaded['objects'],
  requests: readonly (TestRequest | undefined)[],
  report: Report,
  options: JudgeOptions = {},
): Promise<readonly (TestOutcome | undefined)[] | undefined> {
  return (await import('../pipeline/judgeConnection.ts')).judgeConnections(objects, requests, report, options);
}
