import { count } from '../../common/count.ts';
import type { Locate } from '../../diagnostics/place.ts';
import type { Finding } from '../../findings/finding.ts';
import { placeText } from '../../node/lines/placeText.ts';
import type { DiffReport } from '../diffReport.ts';
import { fixOf } from '../fixOf.ts';
import { groupChanges } from '../groupChanges.ts';
import { groupFindings } from '../groupFindings.ts';
import { isFailing } from '../isFailing.ts';
import type { ReportContext } from '../reportContext.ts';
import { splitExplained } from '../splitExplained.ts';
import { escapeMarkup } from './escapeMarkup.ts';
import { junitCase } from './junitCase.ts';
import { summaryLine } from './summaryLine.ts';

/** JUnit's XML: one test suite. */
export function* renderJunit(report: DiffReport, context: ReportContext): Iterable<string> {
  const { text, tests, failures } = junitSuite(
    report,
    `k8snet diff ${report.expectedName} ${report.foundName}`,
    context,
  );
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="k8snet" tests="${tests}" failures="${failures}" errors="0">\n`;
  yield text;
  yield '</testsuites>\n';
}
