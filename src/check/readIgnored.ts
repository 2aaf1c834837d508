import type { JsonPath, Origin, Report } from '../diagnostics/diagnostic.ts';
import type { FindingCode } from '../problems/problemCode.ts';
import { readIgnoreList } from '../report/ignore/readIgnoreList.ts';
import type { IgnoreScope, Suppressions } from '../report/ignore/suppressions.ts';
import type { IgnoredObject } from './checkFileObject.ts';

/** Reads `ignore` of k8snet.yaml. A word that is neither a finding nor a Service's name is an error at its place. */
export function readIgnored(
  list: readonly IgnoredObject[],
  origin: Origin,
  report: Report,
): Pick<Suppressions, 'ids' | 'scopes'> {
  const ids = new Set<FindingCode>();
  const scopes: IgnoreScope[] = [];
  for (const [index, item] of list.entries()) {
    const path: JsonPath = [...origin.path, 'ignore', index];
    if (typeof item === 'string') {
      for (const id of idsOf(item, { ...origin, path }, report)) ids.add(id);
      continue;
    }
    if (!/^[^/:\s]+\/[^/:\s]+$/.test(item.service)) {
      report({
        code: 'bad-check-file',
        severity: 'error',
        message: `${JSON.stringify(item.service)} names no Service`,
        at: [{ ...origin, path: [...path, 'service'] }],
        hint: 'write namespace/name, as in shop/web',
      });
    }
    scopes.push({
      ids: idsOf(item.id, { ...origin, path: [...path, 'id'] }, report),
      services: new Set([item.service]),
    });
  }
  return { ids, scopes };
}

function idsOf(text: string, at: Origin, report: Report): ReadonlySet<FindingCode> {
  const { ids, problems } = readIgnoreList(text);
  for (const { word, meant } of problems) {
    report({
      code: 'unknown-finding',
      severity: 'error',
      message: `${word} is not a finding`,
      at: [at],
      hint: meant === undefined ? 'k8snet explain --list names all findings' : `did you mean ${meant}?`,
    });
  }
  return ids;
}
