import { escapeText } from '../../../common/text/escapeText.ts';
import type { RuleChange } from '../../../compare/ruleChange.ts';
import type { Locate } from '../../../diagnostics/place.ts';
import type { Finding, FindingSeverity } from '../../../findings/finding.ts';
import type { DumpPlace } from '../../../node/lines/chainLines.ts';
import { findingCatalogue } from '../../../problems/findingCatalogue.ts';
import type { FindingCode } from '../../../problems/problemCode.ts';
import type { DiffReport } from '../../diffReport.ts';
import { fixOf } from '../../fixOf.ts';
import { changeFingerprint, findingFingerprint } from '../../ignore/fingerprint.ts';
import type { ReportContext } from '../../reportContext.ts';
import { splitExplained } from '../../splitExplained.ts';
import { sarifLocation } from './sarifLocation.ts';
import { type SarifDriver, sarifLog, sarifRun } from './sarifLog.ts';

/**
 * SARIF 2.1.0, as code scanning accepts it: a result for every finding with its rule of findingCatalogue, at its line
 * of a manifest, or of the dump if there is none; the other side becomes related places. Rules that differ without a
 * finding are results of the rule `rule-differs`. Fingerprints stay the same from run to run.
 */
export function* renderSarif(report: DiffReport, context: ReportContext): Iterable<string> {
  const { driver, all } = sarifParts(report, context);
  yield* sarifLog(driver, all);
}

/** The same as one run among those of other nodes. */
export function* renderSarifRun(report: DiffReport, context: ReportContext, node: string): Iterable<string> {
  const { driver, all } = sarifParts(report, context);
  yield* sarifRun(driver, all, `k8snet/${node}`);
}

function sarifParts(report: DiffReport, context: ReportContext) {
  const ids = [...new Set(report.findings.map(({ code }) => code))].sort();
  const rules: readonly string[] = [...ids, ...(splitExplained(report).unexplained.length > 0 ? [unexplained] : [])];
  const indexOf = new Map(rules.map((id, index) => [id, index]));
  const driver: SarifDriver = { version: context.toolVersion, rules: rules.map(ruleOf) };
  return { driver, all: withIndex(results(report, context), indexOf) };
}

function* withIndex(all: Iterable<Result>, indexOf: ReadonlyMap<string, number>): Iterable<Record<string, unknown>> {
  for (const result of all) yield { ...result, ruleIndex: indexOf.get(result.ruleId) };
}

interface Result {
  readonly ruleId: string;
  readonly [field: string]: unknown;
}

const unexplained = 'rule-differs';

const levels: Readonly<Record<FindingSeverity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

function ruleOf(id: string): Record<string, unknown> {
  if (id === unexplained) {
    const text = 'A rule is not what it should be, and no finding says why.';
    return { id, shortDescription: { text }, defaultConfiguration: { level: 'error' } };
  }
  const entry = findingCatalogue[id as FindingCode];
  if (entry === undefined) throw new Error(`${id} is not in the findingCatalogue`);
  const { title, what, why: cause, fix, severity } = entry;
  return {
    id,
    name: id,
    shortDescription: { text: title },
    fullDescription: { text: `${what}: ${cause}` },
    help: { text: fix },
    defaultConfiguration: { level: levels[severity] },
  };
}

function* results(report: DiffReport, context: ReportContext): Iterable<Result> {
  for (const finding of report.findings) yield findingResult(finding, report, context);
  for (const change of splitExplained(report).unexplained) yield changeResult(change, context);
}

function findingResult(finding: Finding, report: DiffReport, { locate, baseFolder }: ReportContext): Result {
  const { code, severity, service, what, why, places, found } = finding;
  const manifests = places
    .map((origin) => manifestLocation(origin, locate, baseFolder))
    .filter((one) => one !== undefined);
  const dumps = found.map((place) => dumpLocation(place, baseFolder)).filter((one) => one !== undefined);
  const [first, ...others] = [...manifests, ...dumps];
  const logical = service === undefined ? undefined : [{ fullyQualifiedName: escapeText(service), kind: 'resource' }];
  const location = { ...first, ...(logical === undefined ? {} : { logicalLocations: logical }) };
  return {
    ruleId: code,
    level: levels[severity],
    message: { text: [what, `Why: ${why}`, `Fix: ${fixOf(finding, report)}`].map(escapeText).join('\n') },
    ...(Object.keys(location).length === 0 ? {} : { locations: [location] }),
    ...(others.length === 0 ? {} : { relatedLocations: others.map((one, index) => ({ id: index + 1, ...one })) }),
    partialFingerprints: { 'k8snet/v1': findingFingerprint(finding) },
  };
}

function changeResult(change: RuleChange, { baseFolder }: ReportContext): Result {
  const { table, chain, expected, found, place, isMoved } = change;
  const location = place === undefined ? undefined : dumpLocation(place, baseFolder);
  const rules = [
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(found === undefined ? [] : [`found: ${found}`]),
  ];
  const head = `${table} ${chain}: ${isMoved ? 'a rule stands at another place' : 'a rule differs'}`;
  return {
    ruleId: unexplained,
    level: 'error',
    message: { text: [head, ...rules].map(escapeText).join('\n') },
    ...(location === undefined ? {} : { locations: [location] }),
    partialFingerprints: { 'k8snet/v1': changeFingerprint(change) },
  };
}

function manifestLocation(
  origin: Finding['places'][number],
  locate: Locate,
  baseFolder: string | undefined,
): Record<string, unknown> | undefined {
  const place = locate(origin);
  const region = place === undefined ? undefined : { startLine: place.line, startColumn: place.column };
  return sarifLocation(origin.file, region, baseFolder);
}

function dumpLocation({ file, line }: DumpPlace, baseFolder: string | undefined): Record<string, unknown> | undefined {
  return sarifLocation(file, line > 0 ? { startLine: line } : undefined, baseFolder);
}
