import type { ClusterApi } from '../clusterApi.ts';
import { type LiveKind, liveKinds } from './liveKinds.ts';
import { type ListAnswer, type ListItem, parseObject, readList } from './readList.ts';

/** The objects of a kind with what they are; `absent`: the server does not have the kind, or not the object. */
export type KindAnswer =
  | { readonly kind: 'read'; readonly apiVersion: string; readonly of: LiveKind; readonly items: readonly ListItem[] }
  | { readonly kind: 'absent' }
  | { readonly kind: 'forbidden'; readonly of: LiveKind; readonly verb: 'get' | 'list'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string; readonly hint?: string };

export async function readKind(
  api: ClusterApi,
  of: LiveKind,
  namespace: string | undefined,
  selector?: string,
): Promise<KindAnswer> {
  for (const apiVersion of of.groupVersions) {
    const verb = of.only === undefined ? 'list' : 'get';
    const answer = await (of.only
      ? readNamed(api, apiVersion, of, of.only)
      : readList(api, pathOf(apiVersion, of, namespace), selector));
    if (answer.kind === 'items') return { kind: 'read', apiVersion, of, items: answer.items };
    if (answer.kind === 'failed') return answer;
    if (answer.reason === 'Expired')
      return { kind: 'failed', message: `the list of ${of.resource} changes faster than it can be read` };
    if (answer.reason === 'Forbidden') return { kind: 'forbidden', of, verb, message: answer.message };
  }
  return of.instead === undefined ? { kind: 'absent' } : readKind(api, liveKinds[of.instead], namespace);
}

/** The path of a list, or of what is in it. */
export function pathOf(
  apiVersion: string,
  { resource, isNamespaced }: LiveKind,
  namespace: string | undefined,
): string {
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return isNamespaced && namespace !== undefined
    ? `${base}/namespaces/${encodeURIComponent(namespace)}/${resource}`
    : `${base}/${resource}`;
}

async function readNamed(
  api: ClusterApi,
  apiVersion: string,
  of: LiveKind,
  { namespace, names }: NonNullable<LiveKind['only']>,
): Promise<ListAnswer> {
  let last: ListAnswer = { kind: 'refused', reason: 'NotFound', message: '' };
  for (const name of names) {
    const answer = await api.get(`${pathOf(apiVersion, of, namespace)}/${name}`);
    if (answer.kind === 'found') {
      const item = parseObject(answer.text);
      return item
        ? { kind: 'items', items: [item] }
        : { kind: 'failed', message: `what the server answered for ${name} is no object` };
    }
    // If this name is not listed, it is unknown whether the other exists.
    if (answer.kind === 'failed' || answer.reason !== 'NotFound') return answer;
    last = answer;
  }
  return last;
}
