import type { ExplainedSetting } from '../explain/explainSettings.ts';
import type { ServiceWords } from '../explain/topic.ts';
import type { KnownProblem } from '../problems/problemCatalogue.ts';
import type { ProblemPage } from '../problems/problemPage.ts';
import type { ReferenceLink } from '../problems/referenceLinks.ts';

/** The content of `k8snet explain`, before it is formatted. */
export type ExplainPage =
  | ProblemPage
  | {
      readonly kind: 'topic';
      readonly name: string;
      readonly title: string;
      readonly about: readonly string[];
      /** Where it can be read up, and where versions and dates come from. */
      readonly links?: readonly ReferenceLink[];
      /** The result for the input; undefined: none was given. */
      readonly services?: readonly ServiceWords[];
      /** The Service that was asked for. */
      readonly only?: string;
    }
  | { readonly kind: 'settings'; readonly mode: string; readonly settings: readonly ExplainedSetting[] }
  | {
      readonly kind: 'list';
      /** Everything that has a code, kind by kind. */
      readonly problems: readonly KnownProblem[];
      readonly topics: readonly { readonly name: string; readonly title: string }[];
    };
