import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import type { SourceObject } from '../../load/sourceObject.ts';
import type { ClusterApi } from '../clusterApi.ts';
import type { LiveKind } from './liveKinds.ts';
import type { KindAnswer } from './readKind.ts';
import type { ListItem } from './readList.ts';

/** Reports why a kind was not read; false: without it there is no answer. */
export function reportProblem(api: ClusterApi, answer: KindAnswer, isNeeded: boolean, report: Report): boolean {
  if (answer.kind !== 'failed' && answer.kind !== 'forbidden') return true;
  const problem = answer.kind === 'failed' ? unread(api, answer) : notAllowed(api, answer, isNeeded);
  report(problem);
  return problem.severity !== 'error';
}

function unread({ name }: ClusterApi, { message, hint }: Extract<KindAnswer, { kind: 'failed' }>): Diagnostic {
  return {
    code: 'cluster-unread',
    severity: 'error',
    message: `${name} cannot be read: ${message}`,
    at: [],
    ...(hint !== undefined && { hint }),
  };
}

/** Of a cluster, or of a snapshot: `name`. */
export function notAllowed(
  { name }: Pick<ClusterApi, 'name'>,
  { of, verb, message }: Pick<Extract<KindAnswer, { kind: 'forbidden' }>, 'of' | 'verb' | 'message'>,
  isNeeded: boolean,
): Diagnostic {
  const why = isNeeded ? 'and there is no answer without them' : `so it is not known: ${of.tells}`;
  return {
    code: 'not-allowed',
    severity: isNeeded ? 'error' : 'warning',
    message: `${name}: the account may not ${verb} ${of.resource}, ${why} (${message})`,
    at: [],
    ...(of.groupVersions.length > 0 && { hint: `a role with this rule grants it: ${ruleOf(of, verb)}` }),
  };
}

/** As a Role or ClusterRole spells it. */
function ruleOf({ groupVersions, resource, only }: LiveKind, verb: string): string {
  const [group = ''] = /^.*(?=\/)/.exec(groupVersions[0] ?? '') ?? [];
  const names = only === undefined ? '' : `, resourceNames: [${only.names.join(', ')}]`;
  return `{apiGroups: ["${group}"], resources: [${resource}]${names}, verbs: [${verb}]}`;
}

/** An object of a cluster in the form of one from a file. */
export function objectOf(
  { name }: ClusterApi,
  { apiVersion, of }: Pick<Extract<KindAnswer, { kind: 'read' }>, 'apiVersion' | 'of'>,
  item: ListItem,
): SourceObject {
  const origin = { file: placeOf(name, of.kind, item), document: 0, path: [] };
  return { apiVersion, kind: of.kind, value: item, origin };
}

/** `cluster prod: Service shop/web`. */
function placeOf(cluster: string, kind: string, { metadata }: ListItem): string {
  const { namespace, name } = (metadata ?? {}) as { readonly namespace?: string; readonly name?: string };
  return `${cluster}: ${kind} ${namespace === undefined ? '' : `${namespace}/`}${name ?? ''}`;
}
