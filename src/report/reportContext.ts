import type { Locate } from '../diagnostics/place.ts';
import type { ReportStyle } from './reportStyle.ts';

/** What the forms of a report need beside the report. Everything but `locate` and `style` may be left out. */
export interface ReportContext {
  /** Finds places in manifests, as made by `createLocator`. */
  readonly locate: Locate;
  /** Of the text and unified forms. */
  readonly style: ReportStyle;
  /** Version of k8snet, for SARIF. */
  readonly toolVersion?: string;
  /** Folder that file names are made relative to, for GitHub and SARIF: both know only files of the repository. */
  readonly baseFolder?: string;
  /** Print every rule, however many. */
  readonly isVerbose?: boolean;
}
