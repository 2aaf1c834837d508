import type { DiffReport } from './diffReport.ts';
import type { ReportContext } from './reportContext.ts';

/** The forms in which a report can be printed. */
export type ReportForm = (typeof reportForms)[number];

export const reportForms = ['text', 'unified', 'json', 'github', 'sarif', 'junit', 'html'] as const;

/**
 * A report in one of its forms, in pieces. Only the form's own code is loaded. Everything from manifests or dumps is
 * escaped for the form: control characters, XML, HTML, the line syntax of GitHub's annotations.
 */
export async function renderReport(
  report: DiffReport,
  form: ReportForm,
  context: ReportContext,
): Promise<Iterable<string>> {
  switch (form) {
    case 'text': {
      const [{ renderReportText }, { loadWordDiff }] = await Promise.all([
        import('./forms/renderReportText.ts'),
        import('./forms/wordDiff.ts'),
      ]);
      return renderReportText(report, context, await loadWordDiff());
    }
    case 'unified': {
      const [{ renderUnified }, { createTwoFilesPatch }] = await Promise.all([
        import('./forms/renderUnified.ts'),
        import('diff'),
      ]);
      return renderUnified(report, context, createTwoFilesPatch);
    }
    case 'json':
      return (await import('./forms/renderReportJson.ts')).renderReportJson(report, context);
    case 'github':
      return (await import('./forms/renderGithub.ts')).renderGithub(report, context);
    case 'sarif':
      return (await import('./forms/sarif/renderSarif.ts')).renderSarif(report, context);
    case 'junit':
      return (await import('./forms/junit/renderJunit.ts')).renderJunit(report, context);
    case 'html': {
      const [{ renderHtml }, { loadWordDiff }] = await Promise.all([
        import('./forms/renderHtml.ts'),
        import('./forms/wordDiff.ts'),
      ]);
      return renderHtml(report, context, await loadWordDiff());
    }
  }
}
