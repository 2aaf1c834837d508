import type { Report } from '../diagnostics/diagnostic.ts';
import { looksLikeFlags, readFlags } from './readFlags.ts';
import { looksLikeJson, type ReadDocument, readJson, reportJsonError } from './readJson.ts';
import { looksLikeTable, readTables, reportTables } from './readTables.ts';
import { readYaml } from './readYaml.ts';
import type { SourceFormat } from './sources.ts';

/** How texts are read. */
export interface TextOptions {
  /**
   * Unquoted `y` and `n` are text, as those mean them who write YAML 1.2: for what is not judged as the API server
   * would. Default: they are true and false, as Kubernetes reads them.
   */
  readonly keepsShortWords?: boolean;
  /** kube-proxy's command line stands for the KubeProxyConfiguration that sets the same. */
  readonly readsFlags?: boolean;
}

/** One document as it was read: plain JSON values, whatever they are. Null ones are left out. */
export interface SourceDocument {
  readonly file: string;
  readonly document: number;
  readonly value: unknown;
  /** As in SourceObject. */
  readonly detail?: number;
}

/**
 * Adds the documents of one text; returns how it was read. JSON is read by the engine's own parser.
 */
export async function readText(
  file: string,
  text: string,
  documents: SourceDocument[],
  report: Report,
  { keepsShortWords, readsFlags }: TextOptions = {},
): Promise<SourceFormat> {
  let isEmpty = true;
  const add = ({ document, value }: ReadDocument, detail?: number): void => {
    if (value === null) return;
    isEmpty = false;
    documents.push(detail === undefined ? { file, document, value } : { file, document, value, detail });
  };
  const reportAndNote: Report = (diagnostic) => {
    if (diagnostic.severity === 'error') isEmpty = false;
    report(diagnostic);
  };

  let format: SourceFormat = 'yaml';
  const isTable = looksLikeTable(text);
  const isJsonFirst = !isTable && looksLikeJson(file, text);
  const json = isJsonFirst ? readJson(text) : undefined;
  if (readsFlags && looksLikeFlags(text)) {
    format = 'none';
    const { documents: read, remarks } = readFlags(text);
    for (const document of read) add(document);
    for (const remark of remarks) reportAndNote({ ...remark, at: [{ file, document: 0, path: [], offset: 0 }] });
  } else if (isTable) {
    format = 'table';
    const shown = readTables(text);
    for (const object of shown.objects) add(object, object.detail);
    reportTables(file, shown, reportAndNote);
  } else if (isNameless(text)) {
    format = 'none';
    reportAndNote({
      code: 'table-unread',
      severity: 'error',
      message: 'this is a part of what kubectl describe service prints, and does not tell the name of the Service',
      at: [{ file, document: 0, path: [], offset: 0 }],
      hint: 'give all of it, from the line "Name:" on',
    });
  } else if (json !== undefined) {
    format = 'json';
    for (const document of json) add(document);
  } else if (isJsonFirst && (file.endsWith('.json') || text.length > longestFlowYaml) && text.trim() !== '') {
    format = 'none';
    reportJsonError(file, text, reportAndNote);
  } else {
    for await (const document of readYaml(file, text, reportAndNote, keepsShortWords)) add(document);
  }
  if (isEmpty) {
    const at = [{ file, document: 0, path: [], offset: 0 }];
    report({ code: 'no-objects', severity: 'warning', message: 'no objects found', at });
  }
  return format;
}

function isNameless(text: string): boolean {
  return /^(?:Session Affinity|TargetPort|Endpoints): /m.test(text) && !/^(?:Name|apiVersion|kind|- )/m.test(text);
}

/** YAML may begin with a bracket too, but what is longer than this was written by a machine, and meant to be JSON. */
const longestFlowYaml = 1 << 22;
