import type { Locate } from '../../../diagnostics/place.ts';
import type { DiffReport } from '../../../report/diffReport.ts';
import type { BriefFinding, NodeAnswer } from '../../../report/fleet/findings/nodeAnswer.ts';
import type { NodeHead } from '../../../report/fleet/nodeVerdict.ts';
import type { ReportContext } from '../../../report/reportContext.ts';
import { failsRun, reportCode } from '../../options/reportOptions.ts';
import { version } from '../../version.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import { chalkFor, reportStyle } from '../../write/style.ts';
import type { FindingsCommand } from '../fleetCommand.ts';

export interface VerdictInput {
  readonly options: FindingsCommand['options'];
  readonly locate: LocatePlaces;
}

/** Finds places in manifests. */
export type LocatePlaces = (places: DiffReport['findings'][number]['places']) => Promise<Locate>;

/** The verdict of `diff` or `doctor` on a node, with its part in the requested form. */
export async function findingsVerdict(
  { node }: NodeHead,
  report: DiffReport,
  input: VerdictInput,
): Promise<Omit<NodeAnswer, keyof NodeHead>> {
  const { failOn } = input.options;
  const code = reportCode(report, failOn);
  const findings = report.findings.map(({ code, severity, service, what, ...finding }): BriefFinding => {
    const fails = failsRun({ code, severity, what, ...finding }, failOn);
    return { id: code, severity, ...(service !== undefined && { service }), seen: what, fails };
  });
  return {
    state: code === exitCodes.ok ? 'same' : 'differs',
    code,
    summary: report.summary,
    findings,
    changes: report.changes.length,
    ...(await bodyOf(node, report, input)),
  };
}

async function bodyOf(
  node: string,
  report: DiffReport,
  { options, locate }: VerdictInput,
): Promise<Pick<NodeAnswer, 'body' | 'tests' | 'failures'>> {
  const isText = options.output === 'text';
  if (isText && reportCode(report, options.failOn) === exitCodes.ok && !options.verbose) return { body: '' };
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
      return { body: oneLine([...renderReportJson(shown, context)].join('')) };
    }
    case 'junit': {
      const { junitSuite } = await import('../../../report/forms/junit/junitSuite.ts');
      const { text, tests, failures } = junitSuite(shown, `node ${node}`, context);
      return { body: text, tests, failures };
    }
    case 'sarif': {
      const { renderSarifRun } = await import('../../../report/forms/sarif/renderSarif.ts');
      return { body: [...renderSarifRun(shown, context, node)].join('') };
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
