import { compareBytes } from '../../common/compareBytes.ts';
import { count } from '../../common/text/count.ts';
import type { Finding } from '../../findings/finding.ts';
import type { DiffReport } from '../diffReport.ts';
import { changeFingerprint, findingFingerprint } from './fingerprint.ts';
import type { IgnoreScope, Suppressions } from './suppressions.ts';

/**
 * The report without what is ignored or already known. A note says how many findings were left out and with which ids,
 * so nothing vanishes silently. The counts of the summary stay: they describe the state, not the output.
 */
export function suppress(report: DiffReport, suppressions: Suppressions): DiffReport {
  const { ids, baseline } = suppressions;
  const index = indexScopes(suppressions.scopes);
  const hidden = new Map<string, number>();
  const hide = (id: string): false => {
    hidden.set(id, (hidden.get(id) ?? 0) + 1);
    return false;
  };
  const findings = report.findings.filter((finding) => {
    if (ids.has(finding.code) || isInScope(finding, index)) return hide(finding.code);
    return baseline?.findings.has(findingFingerprint(finding)) ? hide(finding.code) : true;
  });
  // Ignoring the finding ignores the changes that it explains.
  const left = report.changes.filter(({ explainedBy }) => explainedBy === undefined || !ids.has(explainedBy));
  const changes =
    baseline === undefined || baseline.changes.size === 0
      ? left
      : left.filter((change) => (baseline.changes.has(changeFingerprint(change)) ? hide('rules') : true));
  if (hidden.size === 0) return report;
  return { ...report, findings, changes, notes: [...report.notes, noteOf(hidden)] };
}

/** Scopes by key: most findings name a Service, and there may be as many scopes as Services. */
interface ScopeIndex {
  readonly ofService: ReadonlyMap<string, readonly IgnoreScope[]>;
  readonly ofFile: ReadonlyMap<string, readonly IgnoreScope[]>;
  readonly ofNode: readonly IgnoreScope[];
}

function indexScopes(scopes: readonly IgnoreScope[]): ScopeIndex {
  const ofService = new Map<string, IgnoreScope[]>();
  const ofFile = new Map<string, IgnoreScope[]>();
  for (const scope of scopes) {
    for (const service of scope.services) addTo(ofService, service, scope);
    if (scope.file !== undefined) addTo(ofFile, fileKey(scope.file, scope.document, scope.path), scope);
  }
  return { ofService, ofFile, ofNode: scopes.filter(({ isNode }) => isNode) };
}

function addTo(map: Map<string, IgnoreScope[]>, key: string, scope: IgnoreScope): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [scope]);
  else list.push(scope);
}

function isInScope(finding: Finding, { ofService, ofFile, ofNode }: ScopeIndex): boolean {
  const ignores = (scopes: readonly IgnoreScope[] | undefined) =>
    scopes?.some(({ ids }) => ids.has(finding.code)) ?? false;
  if (finding.service === undefined && ignores(ofNode)) return true;
  if (finding.service !== undefined && ignores(ofService.get(serviceName(finding.service)))) return true;
  return finding.places.some(({ file, document, path }) => {
    if (ignores(ofFile.get(fileKey(file, undefined, undefined)))) return true;
    if (ignores(ofFile.get(fileKey(file, document, undefined)))) return true;
    // An object is its document, or an item of a List in it.
    for (let depth = 0; depth <= path.length; depth += 1) {
      if (ignores(ofFile.get(fileKey(file, document, path.slice(0, depth))))) return true;
      if (path[depth] !== 'items' && typeof path[depth] !== 'number') break;
    }
    return false;
  });
}

/** `shop/web` of `shop/web:http`. */
function serviceName(servicePort: string): string {
  const colon = servicePort.indexOf(':');
  return colon === -1 ? servicePort : servicePort.slice(0, colon);
}

function fileKey(file: string, document: number | undefined, path: readonly (string | number)[] | undefined): string {
  return JSON.stringify([file, document ?? null, path ?? null]);
}

function noteOf(hidden: ReadonlyMap<string, number>): string {
  const ids = [...hidden].sort(([one], [other]) => compareBytes(one, other));
  const total = ids.reduce((sum, [, number]) => sum + number, 0);
  return `${count(total, 'finding')} not shown: ${ids.map(([id, number]) => (number === 1 ? id : `${number} × ${id}`)).join(', ')}`;
}
