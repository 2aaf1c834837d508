import { escapeJson } from '../../../common/text/escapeText.ts';

/** What a SARIF log says about the program: its version, and the rules that results refer to by index. */
export interface SarifDriver {
  readonly version: string | undefined;
  readonly rules: readonly Record<string, unknown>[];
}

/**
 * A log of SARIF 2.1.0 with one run, in pieces: one result a line. Characters that a terminal interprets are `\u`
 * escapes.
 */
export function* sarifLog(
  { version, rules }: SarifDriver,
  results: Iterable<Record<string, unknown>>,
): Iterable<string> {
  yield '{\n';
  yield '  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",\n  "version": "2.1.0",\n  "runs": [\n';
  yield* sarifRun({ version, rules }, results);
  yield '\n  ]\n}\n';
}

/** One run of a log; `category` distinguishes it from others in the same log. */
export function* sarifRun(
  { version, rules }: SarifDriver,
  results: Iterable<Record<string, unknown>>,
  category?: string,
): Iterable<string> {
  const driver = { name: 'k8snet', ...(version === undefined ? {} : { version }), rules };
  yield '    {\n';
  yield `      "tool": ${json({ driver })},\n`;
  yield '      "columnKind": "unicodeCodePoints",\n';
  if (category !== undefined) yield `      "automationDetails": ${json({ id: category })},\n`;
  yield '      "results": [';
  let separator = '\n';
  for (const result of results) {
    yield `${separator}        ${json(result)}`;
    separator = ',\n';
  }
  yield `${separator === '\n' ? '' : '\n      '}]\n    }`;
}

function json(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}
