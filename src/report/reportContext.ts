import type { Locate } from '../diagnostics/place.ts';
import type { ReportStyle } from './reportStyle.ts';

/** What the forms of a report need apart from the report. Everything except `locate` and `style` is optional. */
export interface ReportContext {
  /** Finds places in manifests, as made by `createLocator`. */
  readonly locate: Locate;
  /** Used by the text and unified forms. */
  readonly style: ReportStyle;
  /** Version of k8snet, for SARIF. */
  readonly toolVersion?: string;
  /** Folder to which file names are relative in GitHub and SARIF, which only know files of the repository. */
  readonly baseFolder?: string;
  /** Print every rule, however many there are. */
  readonly isVerbose?: boolean;
}
