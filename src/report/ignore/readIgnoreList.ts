import { didYouMean } from '../../common/text/didYouMean.ts';
import { findingCatalogue } from '../../problems/findingCatalogue.ts';
import type { FindingCode } from '../../problems/problemCode.ts';

/** The ids in a list, and its words that are not ids. */
export interface IgnoreList {
  readonly ids: ReadonlySet<FindingCode>;
  readonly problems: readonly UnknownFinding[];
}

/** A word that is not a finding, and the finding that it may mean. */
export interface UnknownFinding {
  readonly word: string;
  readonly meant: FindingCode | undefined;
}

/**
 * Reads `K8N307, K8N502` as `--ignore`, annotations and comments contain it; blanks and commas separate, case does not
 * matter.
 */
export function readIgnoreList(text: string): IgnoreList {
  const ids = new Set<FindingCode>();
  const problems: UnknownFinding[] = [];
  for (const word of text.split(/[\s,]+/)) {
    if (word === '') continue;
    const id = word.toUpperCase();
    if (Object.hasOwn(findingCatalogue, id)) {
      ids.add(id as FindingCode);
    } else {
      const meant = didYouMean(id, Object.keys(findingCatalogue));
      problems.push({ word: word.slice(0, 40), meant: meant as FindingCode | undefined });
    }
  }
  return { ids, problems };
}
