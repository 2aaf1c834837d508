import { statSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Finding } from '../../findings/finding.ts';
import { bothSources } from '../../load/bothSources.ts';
import { createLocator } from '../../load/locate.ts';
import type { Sources } from '../../load/sources.ts';
import type { FindingCode } from '../../problems/problemCode.ts';
import type { DiffReport } from '../../report/diffReport.ts';
import { readIgnoreList } from '../../report/ignore/readIgnoreList.ts';
import { suppress } from '../../report/ignore/suppress.ts';
import type { IgnoreScope } from '../../report/ignore/suppressions.ts';
import { unknownFindingText } from '../../report/ignore/unknownFindingText.ts';
import { isFailing } from '../../report/isFailing.ts';
import { type ReportForm, renderReport, reportForms } from '../../report/renderReport.ts';
import { readDumpText } from '../dumps/readDumpText.ts';
import { version } from '../version.ts';
import { exitCodes } from '../write/exitCodes.ts';
import type { Messages } from '../write/messages.ts';
import { chalkFor, reportStyle } from '../write/style.ts';
import { writeOut } from '../write/writeOut.ts';
import type { MessageOptions } from './commonOptions.ts';

/** Options of commands that print a report of findings. */
export interface ReportFlags {
  readonly output: ReportForm;
  readonly unified?: boolean;
  readonly ignore?: readonly FindingCode[];
  readonly baseline?: string;
  readonly failOn?: FailOn;
  /** Takes the report instead of printing it. */
  readonly watched?: (report: DiffReport) => void;
}

/** The file of `k8snet check`, if there is one, lists what is ignored in the working directory. */
async function readIgnored(messages: Messages) {
  const path = 'k8snet.yaml';
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const { ignoredByFile } = await import('../../check/ignoredByFile.ts');
  return ignoredByFile(path, messages.report);
}

/**
 * What makes a run fail: findings of a severity or worse, instead of those that fail by default; or some ids in
 * addition.
 */
export type FailOn = { readonly severities?: readonly string[]; readonly ids: ReadonlySet<FindingCode> };

export function addReportOptions(command: Command): Command {
  return command
    .addOption(new Option('-o, --output <form>', 'form of the report').choices([...reportForms]).default('text'))
    .option('--unified', 'the same as -o unified', false)
    .option(
      '--ignore <ids>',
      'findings that are not wanted: K8N307,K8N502; can be repeated; ./k8snet.yaml may list more',
      ignored,
    )
    .option('--baseline <file>', 'a report of -o json: what it holds is not shown again')
    .option(
      '--fail-on <severity>',
      'lowest severity that makes the run fail: info, warning or error (rules that differ count as errors); or ids that do too',
      failOn,
    );
}

function ignored(text: string, before: readonly FindingCode[] | undefined): readonly FindingCode[] {
  const { ids, problems } = readIgnoreList(text);
  if (problems[0] !== undefined) throw new InvalidArgumentError(unknownFindingText(problems[0]));
  return [...(before ?? []), ...ids];
}

function failOn(text: string): FailOn {
  const order = ['error', 'warning', 'info'];
  if (order.includes(text)) return { severities: order.slice(0, order.indexOf(text) + 1), ids: new Set() };
  const { ids, problems } = readIgnoreList(text);
  const [problem] = problems;
  if (problem === undefined) return { ids };
  const severity = order.find((one) => problem.word.startsWith(one.slice(0, 4)));
  if (severity !== undefined)
    throw new InvalidArgumentError(`${problem.word} is no severity; did you mean ${severity}?`);
  const severities = problem.meant === undefined ? '; severities are error, warning and info' : '';
  throw new InvalidArgumentError(`${unknownFindingText(problem)}${severities}`);
}

/** Intended effects on every node of a mode: shown with -v, or if --fail-on includes them. */
const onRequest: ReadonlySet<FindingCode> = new Set<FindingCode>(['K8N803']);

/** Prints a report without ignored findings, and decides how the run ends. */
export async function printReport(
  whole: DiffReport,
  options: ReportFlags & MessageOptions,
  messages: Messages,
  sources: Sources,
  scopes: readonly IgnoreScope[] = [],
): Promise<number> {
  const { shown, ignoredSources } = await reportFilter(options, messages, scopes);
  if (messages.hasErrors()) {
    await messages.flush(bothSources(sources, ignoredSources));
    return exitCodes.badInput;
  }
  const report = shown(whole);
  if (options.watched !== undefined) {
    options.watched(report);
    return reportCode(report, options.failOn);
  }
  const places = report.findings.flatMap(({ places }) => places);
  const form = options.unified ? 'unified' : options.output;
  const pieces = await renderReport(report, form, {
    locate: await createLocator(sources, places),
    style: reportStyle(chalkFor(options.color, process.stdout.isTTY === true, process.env)),
    toolVersion: version,
    baseFolder: process.cwd(),
    isVerbose: options.verbose,
  });
  writeOut(pieces);
  return reportCode(report, options.failOn);
}

/** Leaves out of reports what is ignored. */
export interface ReportFilter {
  readonly shown: (report: DiffReport) => DiffReport;
  /** From the file that lists what is ignored. */
  readonly ignoredSources: Sources | undefined;
}

/** Reads what to leave out; problems with it are reported. */
export async function reportFilter(
  options: ReportFlags & MessageOptions,
  messages: Messages,
  scopes: readonly IgnoreScope[],
): Promise<ReportFilter> {
  const baseline = await readBaselineFile(options.baseline, messages);
  const ignored = await readIgnored(messages);
  const isAsked = ({ code }: Finding) =>
    !onRequest.has(code) ||
    options.verbose ||
    options.failOn?.severities?.includes('info') ||
    options.failOn?.ids.has(code);
  const suppressions = {
    ids: new Set([...(options.ignore ?? []), ...(ignored?.ids ?? [])]),
    scopes: [...scopes, ...(ignored?.scopes ?? [])],
    ...(baseline && { baseline }),
  };
  return {
    shown: (whole) => suppress({ ...whole, findings: whole.findings.filter(isAsked) }, suppressions),
    ignoredSources: ignored?.sources,
  };
}

/** How a run ends that shows this report: what a dump lost with its lines may be as it should, or not. */
export function reportCode({ findings, changes, summary }: DiffReport, also: FailOn | undefined): number {
  const isFound = changes.length > 0 || findings.some((finding) => failsRun(finding, also));
  if (isFound) return exitCodes.differs;
  const isDecided = summary.notShown === undefined && summary.hasLostLines === undefined;
  return isDecided ? exitCodes.ok : exitCodes.undecided;
}

/** Whether a finding makes the run fail. */
export function failsRun(finding: Finding, also: FailOn | undefined): boolean {
  return also?.severities?.includes(finding.severity) ?? (isFailing(finding) || (also?.ids.has(finding.code) ?? false));
}

async function readBaselineFile(path: string | undefined, messages: Messages) {
  if (path === undefined) return undefined;
  const text = readDumpText(path, messages.report);
  if (text === undefined) return undefined;
  const { readBaseline } = await import('../../report/ignore/readBaseline.ts');
  const baseline = readBaseline(text);
  if (typeof baseline !== 'string') return baseline;
  messages.report({ code: 'bad-option', severity: 'error', message: `--baseline: ${path} ${baseline}`, at: [] });
  return undefined;
}
