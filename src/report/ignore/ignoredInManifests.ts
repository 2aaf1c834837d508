import { pushAll } from '../../common/pushAll.ts';
import type { Diagnostic, Origin } from '../../diagnostics/diagnostic.ts';
import type { SourceObject } from '../../load/sourceObject.ts';
import type { Sources } from '../../load/sources.ts';
import { splitDocuments } from '../../load/yaml/splitDocuments.ts';
import type { FindingCode } from '../../problems/problemCode.ts';
import { readIgnoreList } from './readIgnoreList.ts';
import type { IgnoreScope } from './suppressions.ts';
import { unknownFindingText } from './unknownFindingText.ts';

/**
 * What manifests ask to ignore. The annotation `k8snet.io/ignore: K8N307,K8N502` applies to its object: a Service, an
 * EndpointSlice or Endpoints (their Service), a Node (the whole node), or any other that a finding points at. The YAML
 * comment `# k8snet:ignore K8N307` applies to its document; before everything else in a file of several documents, and
 * as `# k8snet:ignore-file`, to the whole file. Words that are not ids are reported with their place.
 */
export function ignoredInManifests(
  objects: readonly SourceObject[],
  sources: Sources,
  report: (diagnostic: Diagnostic) => void,
): readonly IgnoreScope[] {
  const scopes: IgnoreScope[] = [];
  const files = new Set<string>();
  for (const object of objects) {
    const { file, document, path } = object.origin;
    files.add(file);
    const annotation = annotationOf(object);
    if (annotation === undefined) continue;
    const service = serviceOf(object);
    const ids = checkedIds(
      annotation,
      { ...object.origin, path: [...path, 'metadata', 'annotations', annotationName] },
      report,
    );
    const services = new Set(service === undefined ? [] : [service]);
    scopes.push({ ids, file, document, path, services, ...(object.kind === 'Node' ? { isNode: true } : {}) });
  }
  for (const file of files) {
    if (sources.formatOf(file) !== 'yaml') continue;
    const text = sources.textOf(file);
    if (!text?.includes(commentMark)) continue;
    const own = objects.filter(({ origin }) => origin.file === file);
    pushAll(scopes, commentScopes(file, text, servicesByDocument(own), report));
  }
  return scopes;
}

function servicesByDocument(objects: readonly SourceObject[]): ReadonlyMap<number, ReadonlySet<string>> {
  const services = new Map<number, Set<string>>();
  for (const object of objects) {
    const service = serviceOf(object);
    const { document } = object.origin;
    const own = services.get(document) ?? new Set();
    services.set(document, own);
    if (service !== undefined) own.add(service);
  }
  return services;
}

const annotationName = 'k8snet.io/ignore';
const commentMark = 'k8snet:ignore';

/** A comment: `#` begins the line or follows a blank. */
const comment = /(?:^|[ \t])#[ \t]*k8snet:ignore(-file)?[ \t:]+([^\n\r#]*)/gm;

function commentScopes(
  file: string,
  text: string,
  documents: ReadonlyMap<number, ReadonlySet<string>>,
  report: (diagnostic: Diagnostic) => void,
): IgnoreScope[] {
  const ranges = splitDocuments(text);
  const all = new Set([...documents.values()].flatMap((services) => [...services]));
  const scopes: IgnoreScope[] = [];
  const head = headEnd(text);
  let document = 0;
  for (const match of text.matchAll(comment)) {
    const [, ofFile, list = ''] = match;
    while (document < ranges.length - 1 && match.index >= (ranges[document] as { end: number }).end) document += 1;
    const ids = checkedIds(list, { file, document, path: [], offset: match.index + match[0].indexOf('#') }, report);
    if (ofFile !== undefined || match.index < head) scopes.push({ ids, file, services: all });
    else scopes.push({ ids, file, document, services: documents.get(document) ?? new Set() });
  }
  return scopes;
}

/** The end of the comments at the start of a file, if `---` follows directly; otherwise 0. */
function headEnd(text: string): number {
  const content = /^[^\S\n]*[^#\s].*$/m.exec(text);
  return content !== null && /^---(?:\s|$)/.test(content[0]) ? content.index : 0;
}

function checkedIds(list: string, origin: Origin, report: (diagnostic: Diagnostic) => void): ReadonlySet<FindingCode> {
  const { ids, problems } = readIgnoreList(list);
  for (const problem of problems) {
    report({ code: 'unknown-finding', severity: 'warning', message: unknownFindingText(problem), at: [origin] });
  }
  return ids;
}

function annotationOf({ value }: SourceObject): string | undefined {
  const annotations = field(field(value, 'metadata'), 'annotations');
  const text = field(annotations, annotationName);
  return typeof text === 'string' ? text : undefined;
}

/** The Service that an object is, or whose endpoints it holds. */
function serviceOf({ kind, value }: SourceObject): string | undefined {
  const metadata = field(value, 'metadata');
  const namespace = field(metadata, 'namespace') ?? 'default';
  const name =
    kind === 'Service' || kind === 'Endpoints'
      ? field(metadata, 'name')
      : kind === 'EndpointSlice'
        ? field(field(metadata, 'labels'), 'kubernetes.io/service-name')
        : undefined;
  return typeof name === 'string' && typeof namespace === 'string' ? `${namespace}/${name}` : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
