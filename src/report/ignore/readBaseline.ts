import type { FindingCode } from '../../problems/problemCode.ts';
import { diffSchemaId } from '../forms/renderReportJson.ts';
import { changeFingerprint, findingFingerprint } from './fingerprint.ts';
import type { Baseline } from './suppressions.ts';

/** Reads the `-o json` output of an earlier run. A text says what is wrong with it. */
export function readBaseline(text: string): Baseline | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not JSON; a baseline is made with -o json';
  }
  if (!isRecord(value) || value.schema !== diffSchemaId)
    return `is not a report of ${diffSchemaId}; make a baseline with -o json`;
  const { findings, changes } = value;
  if (!isRecords(findings) || !isRecords(changes)) return 'has no findings and changes';
  return {
    findings: new Set(findings.map((finding) => textOf(finding.fingerprint) ?? fingerprintOfFinding(finding))),
    changes: new Set(changes.map((change) => textOf(change.fingerprint) ?? fingerprintOfChange(change))),
  };
}

/** A report that was edited by hand may have lost its fingerprints. */
function fingerprintOfFinding({ id, service, seen }: Readonly<Record<string, unknown>>): string {
  const name = textOf(service);
  return findingFingerprint({
    code: textOf(id) as FindingCode,
    what: textOf(seen) ?? '',
    ...(name === undefined ? {} : { service: name }),
  });
}

function fingerprintOfChange(change: Readonly<Record<string, unknown>>): string {
  const expected = textOf(change.expected);
  const found = textOf(change.found);
  return changeFingerprint({
    table: textOf(change.table) ?? '',
    chain: textOf(change.chain) ?? '',
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found }),
    ...(change.isMoved === true ? { isMoved: true } : {}),
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isRecords(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) && value.every(isRecord);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
