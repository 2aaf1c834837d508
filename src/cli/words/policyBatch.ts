import { readFileSync } from 'node:fs';
import { escapeText } from '../../common/text/escapeText.ts';
import { parsePortSpec } from '../../policy/portSpec.ts';
import type { TestOutcome, TestRequest } from '../../policy/testPolicy.ts';
import { exitCodes } from '../write/exitCodes.ts';
import type { Messages } from '../write/messages.ts';

/** A line in a file of flows, `FROM TO [PORT]`: its question, or why it has none. */
export interface BatchLine {
  readonly line: number;
  readonly text: string;
  readonly request: TestRequest | undefined;
}

/** Undefined: the file cannot be read, which is reported. Empty lines and text after `#` are skipped. */
export function readBatch(
  path: string,
  family: TestRequest['family'],
  { report }: Messages,
): readonly BatchLine[] | undefined {
  let text: string;
  try {
    text = readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    const message = `cannot read ${escapeText(path)}: ${error instanceof Error ? error.message : error}`;
    report({ code: 'cannot-read', severity: 'error', message, at: [] });
    return undefined;
  }
  const lines: BatchLine[] = [];
  for (const [index, written] of text.split('\n').entries()) {
    const asked = written.replace(/#.*/, '').trim();
    if (asked === '') continue;
    const [from = '', to, port, ...more] = asked.split(/\s+/);
    const spec = port === undefined ? undefined : parsePortSpec(port);
    const isGood = to !== undefined && more.length === 0 && (port === undefined) === (spec === undefined);
    lines.push({ line: index + 1, text: asked, request: isGood ? { from, to, port: spec, family } : undefined });
  }
  return lines;
}

/** A line without a valid question is an error; the other lines still get answers. */
export function reportBatch(
  path: string,
  lines: readonly BatchLine[],
  outcomes: readonly (TestOutcome | undefined)[],
  { report }: Messages,
): void {
  for (const [at, { line, text }] of lines.entries()) {
    const outcome = outcomes[at];
    if (outcome?.kind === 'checked') continue;
    const what =
      outcome === undefined
        ? `${JSON.stringify(text)} is not FROM TO [PORT], as in shop/web shop/db 5432`
        : outcome.message;
    report({
      code: 'policy-test-unanswerable',
      severity: 'error',
      message: `${escapeText(path)}:${line}: ${what}`,
      at: [],
    });
  }
}

/** `denied` if one of its connections is; `refused` and `dropped` are kube-proxy's. */
export function batchWord(outcome: TestOutcome | undefined): string {
  if (outcome?.kind !== 'checked') return 'error';
  if (outcome.isUnknown) return 'unknown';
  if (outcome.isAllowed) return 'allowed';
  const failed = outcome.checks.filter(({ isAllowed, isUnknown }) => !isAllowed && !isUnknown);
  const [first] = failed.map(({ end }) => end?.kind ?? 'denied').sort();
  return first ?? 'denied';
}

export function batchExit(outcomes: readonly (TestOutcome | undefined)[]): number {
  const words = new Set(outcomes.map(batchWord));
  if (words.has('error')) return exitCodes.badInput;
  if (['denied', 'refused', 'dropped'].some((word) => words.has(word))) return exitCodes.differs;
  return words.has('unknown') ? exitCodes.undecided : exitCodes.ok;
}
