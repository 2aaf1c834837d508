import type { Report } from '../diagnostics/diagnostic.ts';
import { objectDiagnostic } from '../diagnostics/objectDiagnostic.ts';
import { readDocuments } from '../load/files/readDocuments.ts';
import type { Sources } from '../load/sources.ts';
import type { Suppressions } from '../report/ignore/suppressions.ts';
import { schemaErrors } from '../validate/fields/schemaErrors.ts';
import { k8snet } from '../validate/validators.generated.mjs';
import type { CheckFileObject } from './checkFileObject.ts';
import { readIgnored } from './readIgnored.ts';

/** What a file asks to leave out of reports, and its text for the places of problems. */
export interface IgnoredByFile extends Pick<Suppressions, 'ids' | 'scopes'> {
  readonly sources: Sources;
}

/** Reads `ignore` of k8snet.yaml for a report. The rest of the file is for `k8snet check` and not looked at. */
export async function ignoredByFile(path: string, report: Report): Promise<IgnoredByFile> {
  const { documents, sources } = await readDocuments([path], { recursive: false }, report);
  const none = { ids: new Set<never>(), scopes: [], sources };
  const [document] = documents;
  const value = document?.value;
  if (document === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, 'ignore'))
    return none;
  const origin = { file: document.file, document: document.document, path: [] };
  const errors = k8snet(value) ? [] : schemaErrors('k8snet', value, k8snet.errors ?? []);
  const own = errors.filter(({ path: [field] }) => field === 'ignore');
  for (const problem of own) report(objectDiagnostic(origin, { ...problem, severity: 'error' }));
  if (own.length > 0) return none;
  return { ...readIgnored((value as CheckFileObject).ignore ?? [], origin, report), sources };
}
