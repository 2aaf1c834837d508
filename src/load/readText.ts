import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import { looksLikeFlags, readFlags } from './flags/readFlags.ts';
import { looksLikeJson, type ReadDocument, readJson, reportJsonError } from './json/readJson.ts';
import { looksLikeTable, readShownObjects, reportTables } from './kubectl/shown/readShownObjects.ts';
import { otherText } from './otherText.ts';
import type { SourceFormat } from './sources.ts';
import type { TextMemory } from './textMemory.ts';
import { withoutTalk } from './withoutTalk.ts';
import { readYaml } from './yaml/readYaml.ts';

/** How texts are read. */
export interface TextOptions {
  /**
   * Unquoted `y` and `n` are text, as those mean them who write YAML 1.2: for what is not judged as the API server
   * would. Default: they are true and false, as Kubernetes reads them.
   */
  readonly keepsShortWords?: boolean;
  /** kube-proxy's command line stands for the KubeProxyConfiguration that sets the same. */
  readonly readsFlags?: boolean;
  /** Of earlier readings with the same options. */
  readonly memory?: TextMemory | undefined;
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
  given: string,
  documents: SourceDocument[],
  report: Report,
  { keepsShortWords, readsFlags, memory }: TextOptions = {},
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
  const isTable = looksLikeTable(given);
  const text = isTable ? given : withoutTalk(given);
  const isJsonFirst = !isTable && looksLikeJson(file, text);
  const json = isJsonFirst ? readJson(text) : undefined;
  const other = otherText(text);
  if (readsFlags && looksLikeFlags(text)) {
    format = 'none';
    const { documents: read, remarks } = readFlags(text);
    for (const document of read) add(document);
    for (const remark of remarks) reportAndNote({ ...remark, at: [{ file, document: 0, path: [], offset: 0 }] });
  } else if (isTable) {
    format = 'table';
    const shown = readShownObjects(text);
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
  } else if (json === undefined && other !== undefined) {
    format = 'none';
    reportAndNote({
      code: 'not-an-object',
      severity: 'error',
      message: `this is ${other.what}, not manifests`,
      at: [{ file, document: 0, path: [], offset: 0 }],
      hint: other.instead,
    });
  } else if (json !== undefined) {
    format = 'json';
    for (const document of json) add(document);
  } else if (isJsonFirst && (file.endsWith('.json') || text.length > longestFlowYaml) && text.trim() !== '') {
    format = 'none';
    reportJsonError(file, text, reportAndNote);
  } else {
    const report_: Report = (diagnostic) =>
      reportAndNote(isTemplate.test(text) ? withTemplateHint(diagnostic) : diagnostic);
    for await (const document of readYaml(file, text, report_, { keepsShortWords, memory })) add(document);
  }
  if (isEmpty) {
    const at = [{ file, document: 0, path: [], offset: 0 }];
    report({ code: 'no-objects', severity: 'warning', message: 'no objects found', at });
  }
  return format;
}

/** Of Helm, as charts have them before they are rendered. */
const isTemplate = /\{\{-? *(?:include|template|toYaml|if|range|with|end|define|\.Values|\.Release|\.Chart)\b/;

function withTemplateHint(diagnostic: Diagnostic): Diagnostic {
  const isYaml = diagnostic.code === 'yaml-syntax' || diagnostic.code === 'yaml-not-json';
  if (!isYaml || diagnostic.hint !== undefined) return diagnostic;
  return {
    ...diagnostic,
    hint: 'a template of Helm: render it first, helm template RELEASE CHART | k8snet compile -f -',
  };
}

function isNameless(text: string): boolean {
  return /^(?:Session Affinity|TargetPort|Endpoints): /m.test(text) && !/^(?:Name|apiVersion|kind|- )/m.test(text);
}

/** YAML may begin with a bracket too, but what is longer than this was written by a machine, and meant to be JSON. */
const longestFlowYaml = 1 << 22;
