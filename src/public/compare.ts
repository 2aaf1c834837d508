import type { DumpDiffOptions } from '../diff/diffDumps.ts';
import type { DiffOptions } from '../diff/diffOptions.ts';
import type { CompiledForDump } from '../diff/settle/compileForDump.ts';
import type { ObjectFacts } from '../findings/checks/objectFacts.ts';
import type { Finding } from '../findings/finding.ts';
import type { Loaded } from '../load/loaded.ts';
import { noSources } from '../load/noSources.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { DiffReport } from '../report/diffReport.ts';
import { type ReportForm, reportForms } from '../report/renderReport.ts';
import type { TraceObjects } from '../trace/known/traceObjects.ts';
import { areOptions, type OptionRules } from './options/checkOptions.ts';
import { diffRules, dumpDiffRules } from './options/optionRules.ts';
import { list, oneOf, record } from './options/valueRule.ts';
import { type Result, resultOf } from './result.ts';

/** What is on a node against what should be there, and what is wrong with it by itself. */

/** Explains by Service what is on the node against what should be there. */
export async function diff(
  expected: CompiledForDump,
  options: Partial<Omit<DiffOptions, keyof ObjectFacts>> = {},
): Promise<Result<DiffReport | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, diffRules, report)) return undefined;
    const { diffNode } = await import('../diff/diffNode.ts');
    return diffNode(expected, { level: 'rules', hasNfacct: false, family: 'both', ...options });
  });
}

/** Compares two dumps of one node or of two. */
export async function diffDumps(
  before: NodeRules,
  after: NodeRules,
  options: Partial<DumpDiffOptions> = {},
): Promise<Result<DiffReport | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, dumpDiffRules, report)) return undefined;
    const all = { level: 'rules', hasForeign: false, ...options } as const;
    return (await import('../diff/diffDumps.ts')).diffDumps(before, after, all);
  });
}

/** Compares several nodes of one cluster, two at least: what the others have beside the one that most agree with. */
export async function diffNodes(
  nodes: readonly NodeRules[],
  options: Partial<DumpDiffOptions> = {},
): Promise<Result<DiffReport | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, dumpDiffRules, report)) return undefined;
    const all = { level: 'rules', hasForeign: false, ...options } as const;
    return (await import('../diff/diffNodes.ts')).diffNodes(nodes, all);
  });
}

/** What is known beside a dump that is diagnosed. */
export interface DiagnoseOptions {
  /** Services and the network, according to objects. */
  readonly objects?: TraceObjects | undefined;
  /** Findings of somebody else that belong into the same report. */
  readonly further?: readonly Finding[] | undefined;
}

const diagnoseRules: OptionRules<DiagnoseOptions> = { objects: record, further: list };

/** Finds what is wrong with a dump by itself. */
export async function diagnose(
  dump: NodeRules,
  options: DiagnoseOptions = {},
): Promise<Result<DiffReport | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, diagnoseRules, report)) return undefined;
    const { objects, further = [] } = options;
    return (await import('../doctor/diagnoseNode.ts')).diagnoseNode(dump, objects, further);
  });
}

/** How a report is printed. */
export interface RenderOptions {
  readonly form: ReportForm;
  /** Of `load`: they give manifests their line numbers. */
  readonly sources?: Loaded['sources'] | undefined;
}

const renderRules: OptionRules<RenderOptions> = { form: oneOf(...reportForms), sources: record };

/** A report in one of its forms, in pieces and without colors. */
export async function renderReport(
  diffReport: DiffReport,
  options: RenderOptions,
): Promise<Result<Iterable<string> | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, renderRules, report)) return undefined;
    const { form, sources = noSources } = options;
    const [{ renderReport: render }, { createLocator }, { plainReportStyle }] = await Promise.all([
      import('../report/renderReport.ts'),
      import('../load/locate.ts'),
      import('../report/reportStyle.ts'),
    ]);
    const places = diffReport.findings.flatMap(({ places }) => places);
    return render(diffReport, form, { locate: await createLocator(sources, places), style: plainReportStyle });
  });
}
