import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { Locate } from '../../../diagnostics/place.ts';
import type { DiffReport } from '../../../report/diffReport.ts';
import type { BriefFinding, NodeAnswer, NodeProblem } from '../../../report/fleet/fleetReport.ts';
import { nodeJson } from '../../../report/fleet/renderFleet.ts';
import type { ReportContext } from '../../../report/reportContext.ts';
import { failsRun, reportCode } from '../../options/reportOptions.ts';
import { version } from '../../version.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import { chalkFor, reportStyle } from '../../write/style.ts';
import type { FleetEntry } from '../entries/fleetEntry.ts';
import { namesByPath } from '../entries/nodeNames.ts';
import type { FleetCommand } from '../fleetCommand.ts';
import type { JudgedNode } from './judgedNode.ts';

type Options = FleetCommand['options'];

/** The answer about a node that was judged, with its part in the requested form. */
export async function answerOf(
  entry: FleetEntry,
  { node, report }: JudgedNode & { readonly report: DiffReport },
  said: readonly Diagnostic[],
  { options, locate }: BodyInput,
): Promise<NodeAnswer> {
  const code = reportCode(report, options.failOn);
  const brief = report.findings.map(({ code, severity, service, what, ...finding }): BriefFinding => {
    const fails = failsRun({ code, severity, what, ...finding }, options.failOn);
    return { id: code, severity, ...(service !== undefined && { service }), seen: what, fails };
  });
  const answer = {
    ...named(entry, node),
    state: code === exitCodes.ok ? ('same' as const) : ('differs' as const),
    code,
    problems: problemsOf(said),
    summary: report.summary,
    findings: brief,
    changes: report.changes.length,
  };
  return { ...answer, ...(await bodyOf(answer, report, { options, locate })) };
}

/** The answer about a node that could not be judged. */
export async function problemAnswer(
  entry: FleetEntry,
  { node }: Pick<JudgedNode, 'node'>,
  said: readonly Diagnostic[],
  { output }: Pick<Options, 'output'>,
): Promise<NodeAnswer> {
  const answer = {
    ...named(entry, node),
    state: 'unjudged' as const,
    code: exitCodes.badInput,
    problems: problemsOf(said),
    summary: undefined,
    findings: [],
    changes: 0,
  };
  const { unjudgedBody } = await import('../../../report/fleet/unjudgedBody.ts');
  return { ...answer, ...unjudgedBody(answer, output) };
}

function named({ at, given }: FleetEntry, node: string | undefined) {
  return { at, given, node: node ?? calledBy(given), isNamed: node !== undefined };
}

/** The name that its path gives it, without extensions of files. */
function calledBy(given: string): string {
  const [name = given, shorter] = namesByPath(given);
  return /\.(?:save|txt|log|out|dump|rules|gz|tgz|tar|tar\.gz|json)$/.test(name) && shorter ? shorter : name;
}

function problemsOf(said: readonly Diagnostic[]): readonly NodeProblem[] {
  return said.map(({ code, severity, message, hint }) => ({
    code,
    severity,
    message,
    ...(hint !== undefined && { hint }),
  }));
}

interface BodyInput {
  readonly options: Options;
  readonly locate: LocatePlaces;
}

/** Finds places in manifests. */
export type LocatePlaces = (places: DiffReport['findings'][number]['places']) => Promise<Locate>;

async function bodyOf(
  answer: Omit<NodeAnswer, 'body'>,
  report: DiffReport,
  { options, locate }: BodyInput,
): Promise<Pick<NodeAnswer, 'body' | 'tests' | 'failures'>> {
  const isText = options.output === 'text';
  if (isText && answer.state === 'same' && !options.verbose) return { body: '' };
  // Intended effects on every node would hide what is wrong with this one.
  const shown =
    isText && !options.verbose
      ? { ...report, findings: report.findings.filter((finding) => failsRun(finding, options.failOn)) }
      : report;
  const places = shown.findings.flatMap(({ places }) => places);
  const context: ReportContext = {
    locate: await locate(places),
    style: reportStyle(chalkFor(options.color, process.stdout.isTTY === true, process.env)),
    toolVersion: version,
    baseFolder: process.cwd(),
    isVerbose: options.verbose,
  };
  switch (options.output) {
    case 'json': {
      const { renderReportJson } = await import('../../../report/forms/renderReportJson.ts');
      return { body: nodeJson(answer, oneLine([...renderReportJson(shown, context)].join(''))) };
    }
    case 'junit': {
      const { junitSuite } = await import('../../../report/forms/junit/junitSuite.ts');
      const { text, tests, failures } = junitSuite(shown, `node ${answer.node}`, context);
      return { body: text, tests, failures };
    }
    case 'sarif': {
      const { renderSarifRun } = await import('../../../report/forms/sarif/renderSarif.ts');
      return { body: [...renderSarifRun(shown, context, answer.node)].join('') };
    }
    default: {
      const { renderReport } = await import('../../../report/renderReport.ts');
      return { body: [...(await renderReport(shown, options.output, context))].join('') };
    }
  }
}

/** Line breaks only occur between the parts of JSON. */
function oneLine(json: string): string {
  return json.replace(/\n\s*/g, '');
}
