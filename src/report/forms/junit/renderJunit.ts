import type { DiffReport } from '../../diffReport.ts';
import type { ReportContext } from '../../reportContext.ts';
import { junitSuite } from './junitSuite.ts';

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
