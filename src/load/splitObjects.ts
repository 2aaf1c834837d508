import type { JsonPath, Report } from '../diagnostics/diagnostic.ts';
import { printPath } from '../diagnostics/printPath.ts';
import type { DiagnosticCode } from '../problems/problemCode.ts';
import { partOfObject } from './partOfObject.ts';
import type { SourceDocument } from './readText.ts';
import type { SourceObject } from './sourceObject.ts';

/**
 * The objects of one document, in order: itself, or the items of a List. A typed list (`ServiceList`) gives its items
 * their kind; a List inside a List is opened too, as kubectl does. What is no object is reported.
 */
export function splitObjects({ file, document, value, detail }: SourceDocument, report: Report): SourceObject[] {
  const objects: SourceObject[] = [];
  // A stack of its own, last on top: lists in lists may be as deep as the JSON is.
  const waiting: Waiting[] = [{ value, path: [], apiVersion: '', kind: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const items = readObject(next, { file, document, report }, objects);
    for (let at = items.length - 1; at >= 0; at -= 1) waiting.push(items[at] as Waiting);
  }
  return detail === undefined ? objects : objects.map((object) => ({ ...object, detail }));
}

/** A value that should be an object; `apiVersion` and `kind` come from its list, and are empty without one. */
interface Waiting {
  readonly value: unknown;
  readonly path: JsonPath;
  readonly apiVersion: string;
  readonly kind: string;
}

interface Context {
  readonly file: string;
  readonly document: number;
  readonly report: Report;
}

/** Adds an object to `objects`, or returns the items of a list. */
function readObject(waiting: Waiting, context: Context, objects: SourceObject[]): readonly Waiting[] {
  const { path } = waiting;
  const { file, document } = context;
  if (path.length > deepestLists * 2) {
    refuse(
      context,
      'nested-too-deeply',
      path.slice(0, 2),
      [],
      `lists are nested more than ${deepestLists} levels deep`,
    );
    return [];
  }
  if (!isMapping(waiting.value)) {
    const what = path.length === 0 ? 'the document' : printPath(path);
    const hint = Array.isArray(waiting.value) ? 'put several objects under "items" of a v1 List' : undefined;
    refuse(context, 'not-an-object', path, path, `${what} is ${typeName(waiting.value)}, expected a mapping`, hint);
    return [];
  }
  const value = waiting.value;
  const part = waiting.apiVersion === '' ? partOfObject(value) : undefined;
  if (part !== undefined) {
    const message = `part of a ${part}: apiVersion, kind and metadata are missing`;
    refuse(
      context,
      'missing-kind',
      path,
      [...path, 'kind'],
      message,
      `give all of it: kubectl get ${part.toLowerCase()} NAME -o yaml`,
    );
    return [];
  }
  const apiVersion = typeField(value, 'apiVersion', waiting, context);
  const kind = typeField(value, 'kind', waiting, context);
  if (apiVersion === undefined || kind === undefined) return [];
  if (!isList(kind, value)) {
    objects.push({ apiVersion, kind, value, origin: { file, document, path } });
    return [];
  }
  const items = value.items ?? [];
  if (!Array.isArray(items)) {
    const at = [...path, 'items'];
    refuse(context, 'not-an-object', at, at, `${printPath(at)} is ${typeName(items)}, expected a sequence`);
    return [];
  }
  const ofItem = kind === 'List' ? { apiVersion: '', kind: '' } : { apiVersion, kind: kind.slice(0, -'List'.length) };
  return items.map((item: unknown, index) => ({ value: item, path: path.concat('items', index), ...ofItem }));
}

/** Levels of Lists in Lists; each makes the paths of its items longer. */
const deepestLists = 20;

/** A kind may end in List without being one: such a one has no items. */
function isList(kind: string, value: Readonly<Record<string, unknown>>): boolean {
  return kind === 'List' || (kind.endsWith('List') && Object.hasOwn(value, 'items'));
}

function typeField(
  value: Readonly<Record<string, unknown>>,
  field: 'apiVersion' | 'kind',
  waiting: Waiting,
  context: Context,
): string | undefined {
  const code = field === 'kind' ? 'missing-kind' : 'missing-api-version';
  const own = Object.hasOwn(value, field) ? value[field] : undefined;
  const given = own === undefined || own === null || own === '' ? waiting[field] : own;
  if (typeof given === 'string' && given !== '') return given;
  const path = [...waiting.path, field];
  if (typeof given !== 'string') {
    refuse(context, code, path, path, `${field} is ${typeName(given)}, expected text`);
    return undefined;
  }
  const message = `${field} is missing: every object needs apiVersion and kind`;
  refuse(context, code, waiting.path, path, message, toRender(context.file));
  return undefined;
}

/** What turns a file of another kind into manifests. */
function toRender(file: string): string | undefined {
  if (/(?:^|[/\\])kustomization\.ya?ml$/i.test(file))
    return 'it is for kustomize: kubectl kustomize FOLDER | k8snet compile -f -';
  if (/(?:^|[/\\])(?:Chart|values[\w.-]*)\.ya?ml$/.test(file))
    return 'it is part of a chart of Helm: helm template RELEASE CHART | k8snet compile -f -';
  return undefined;
}

function refuse(
  { file, document, report }: Context,
  code: DiagnosticCode,
  at: JsonPath,
  path: JsonPath,
  message: string,
  hint?: string,
): void {
  report({
    code,
    severity: 'error',
    message,
    at: [{ file, document, path: at }],
    ...(path.length > 0 ? { path: printPath(path) } : {}),
    ...(hint === undefined ? {} : { hint }),
  });
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a sequence';
  switch (typeof value) {
    case 'string':
      return 'a string';
    case 'number':
      return `the number ${value}`;
    case 'boolean':
      return `the boolean ${value}`;
    default:
      return 'a mapping';
  }
}
