import type { DiagnosticKind } from '../diagnostics/catalogue.ts';
import type { ExplainedSetting } from '../explain/explainSettings.ts';
import type { ServiceWords } from '../explain/topic.ts';
import type { FindingEntry } from '../findings/catalogue/findingEntry.ts';
import type { FindingPage } from '../report/pages/findingPage.ts';

/** What `k8snet explain` has to say, before it is spelled. */
export type ExplainPage =
  | ({ readonly kind: 'finding' } & FindingPage)
  | ({ readonly kind: 'diagnostic'; readonly code: string } & DiagnosticKind)
  | {
      readonly kind: 'topic';
      readonly name: string;
      readonly title: string;
      readonly about: readonly string[];
      /** What it comes to for the input; undefined: none was given. */
      readonly services?: readonly ServiceWords[];
      /** The Service that was asked for. */
      readonly only?: string;
    }
  | { readonly kind: 'settings'; readonly mode: string; readonly settings: readonly ExplainedSetting[] }
  | {
      readonly kind: 'list';
      readonly findings: readonly ({ readonly id: string } & Pick<FindingEntry, 'severity' | 'title' | 'isAdvice'>)[];
      readonly topics: readonly { readonly name: string; readonly title: string }[];
    };
