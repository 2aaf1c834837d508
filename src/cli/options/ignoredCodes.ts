import { InvalidArgumentError } from 'commander';
import { didYouMean } from '../../common/text/didYouMean.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { diagnosticCatalogue } from '../../problems/catalogue/diagnostics.ts';
import type { DiagnosticCode } from '../../problems/problemCode.ts';

/** Reads `--ignore unknown-field,no-cluster-ip`, which can be repeated; an unknown code is refused. */
export function ignoredCodes(text: string, before: readonly DiagnosticCode[] | undefined): readonly DiagnosticCode[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  for (const word of words) {
    if (isCode(word)) continue;
    const meant = didYouMean(word, Object.keys(diagnosticCatalogue));
    const hint = meant === undefined ? 'docs/diagnostics.md lists all' : `did you mean ${meant}?`;
    throw new InvalidArgumentError(`${escapeText(word.slice(0, 40))} is not a diagnostic code; ${hint}`);
  }
  return [...(before ?? []), ...words.filter(isCode)];
}

function isCode(word: string): word is DiagnosticCode {
  return Object.hasOwn(diagnosticCatalogue, word);
}
