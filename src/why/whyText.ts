import { escapeText } from '../common/text/escapeText.ts';
import type { Evidence } from '../diagnostics/problem.ts';
import { fractionJson } from '../trace/show/fractionJson.ts';
import type { TraceResult } from '../trace/traceResult.ts';
import { type Fraction, fraction, one, plus } from '../walk/values/fraction.ts';
import type { Cause } from './cause.ts';
import { headOf } from './headOf.ts';
import type { Why } from './whyCauses.ts';

/** The answer in one sentence with its evidence and what to do; then further causes, and assumptions. */
export function whyText(why: Why, { notes }: Pick<TraceResult, 'notes'>): string {
  const { isReachable } = why;
  const [first, ...more] = why.causes.filter(({ code }) => code !== 'some-ways-only');
  const lines: string[] = [];
  if (isReachable) lines.push('It arrives, and the answer comes back, in every way that these rules leave open.');
  if (why.answeredBy !== undefined) lines.push(why.answeredBy);
  if (first !== undefined) lines.push(...causeLines(first, isReachable ? 'if it fails all the same: ' : headOf(why)));
  for (const cause of more) lines.push('', ...causeLines(cause, 'also: '));
  if (notes.assumed.size > 0) lines.push('', ...[...notes.assumed].map((text) => `assumed: ${text}`));
  return `${lines.map((line) => escapeText(line)).join('\n')}\n`;
}

function causeLines({ what, evidence, fix }: Cause, head: string): readonly string[] {
  return [`${head}${what}`, ...evidence.map((each) => `  ${evidenceText(each)}`), `  → ${fix}`];
}

function evidenceText(evidence: Evidence): string {
  if (evidence.kind !== 'rule') return evidence.text;
  const { text, file, line } = evidence;
  return file === undefined ? text : `${file}${line === undefined ? '' : `:${line}`}: ${text}`;
}

/** k8snet.why/v1; `trace` is the underlying trace, `differs` exists if the node does not do what it should. */
export function whyJson(
  { verdict, isReachable, causes, answeredBy }: Why,
  { outcomes }: TraceResult,
  trace: object,
  differs?: object,
): object {
  const failing = new Set(causes.filter(({ code }) => code !== 'not-the-rules').flatMap((cause) => cause.outcomes));
  let reachable: Fraction | undefined = isReachable ? one : fraction(0, 1);
  if (!isReachable) {
    for (const [at, { share }] of outcomes.entries()) {
      if (!failing.has(at)) reachable = reachable && share && plus(reachable, share);
    }
  }
  return {
    schema: 'k8snet.why/v1',
    verdict,
    reachable: reachable === undefined || verdict === 'unknown' ? null : fractionJson(reachable),
    ...(answeredBy !== undefined && { answeredBy }),
    causes: causes.map(causeJson),
    ...(differs && { differs }),
    trace,
  };
}

function causeJson({ code, order, what, evidence, fix, isUnknown, outcomes }: Cause): object {
  return { id: code, order, sentence: what, evidence, fix, ...(isUnknown && { isUnknown }), outcomes };
}
