import { count } from '../../common/text/count.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import type { Finding, FindingSeverity } from '../../findings/finding.ts';
import type { DiffReport } from '../diffReport.ts';
import { fixOf } from '../fixOf.ts';
import { relativeFile } from '../relativeFile.ts';
import type { ReportContext } from '../reportContext.ts';
import { splitExplained } from '../splitExplained.ts';
import { githubAnnotation } from './githubAnnotation.ts';
import { summaryLine } from './summaryLine.ts';

/**
 * Workflow commands of GitHub Actions, one a finding: shown at the line of the manifest, or of the dump if there is no
 * manifest. GitHub shows at most ten of each level a step, so the worst come first, and the summary is a log line.
 */
export function* renderGithub(report: DiffReport, context: ReportContext): Iterable<string> {
  for (const severity of ['error', 'warning', 'info'] as const) {
    for (const finding of report.findings)
      if (finding.severity === severity) yield annotation(finding, report, context);
  }
  const { unexplained } = splitExplained(report);
  if (unexplained.length > 0) {
    const [first] = unexplained;
    const place = unexplained.find((change) => change.place !== undefined)?.place;
    yield githubAnnotation({
      level: 'error',
      ...(place === undefined ? {} : { file: fileOf(place.file, context.baseFolder), line: place.line }),
      title: 'k8snet diff',
      message: `${count(unexplained.length, 'rule')} ${unexplained.length === 1 ? 'differs' : 'differ'} and no finding says why; the first is in ${escapeText(`${first?.table} ${first?.chain}`)}`,
    });
  }
  // Input cannot begin a line of the log here: it would be a command otherwise.
  yield `k8snet: ${summaryLine(report)}\n`;
}

const levels: Readonly<Record<FindingSeverity, 'error' | 'warning' | 'notice'>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

function annotation(finding: Finding, report: DiffReport, { locate, baseFolder }: ReportContext): string {
  const { code, severity, service, what, why } = finding;
  const [origin] = finding.places;
  const [dump] = finding.found;
  const place = origin === undefined ? undefined : locate(origin);
  const at =
    origin !== undefined
      ? { file: fileOf(origin.file, baseFolder), line: place?.line, column: place?.column }
      : dump !== undefined
        ? { file: fileOf(dump.file, baseFolder), line: dump.line }
        : {};
  return githubAnnotation({
    level: levels[severity],
    ...at,
    title: service === undefined ? code : `${code} ${escapeText(service)}`,
    message: [what, `why: ${why}`, `fix: ${fixOf(finding, report)}`].map(escapeText).join('\n'),
  });
}

function fileOf(file: string, baseFolder: string | undefined): string | undefined {
  const name = relativeFile(file, baseFolder);
  return name === undefined ? undefined : escapeText(name);
}
