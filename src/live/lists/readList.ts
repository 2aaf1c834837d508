import type { ApiAnswer, ClusterApi } from '../clusterApi.ts';

/** All items of a list, or why there are none. */
export type ListAnswer =
  | { readonly kind: 'items'; readonly items: readonly ListItem[] }
  | Exclude<ApiAnswer, { readonly kind: 'found' }>;

export type ListItem = Readonly<Record<string, unknown>>;

/**
 * Reads a list page by page: the server never has to hold a long answer, and neither side waits for all of it at once.
 */
export async function readList(api: ClusterApi, path: string, selector?: string): Promise<ListAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await readPages(api, path, selector);
    // The server keeps the state of the pages only for some minutes.
    if (answer.kind !== 'refused' || answer.reason !== 'Expired' || attempt === mostAttempts) return answer;
  }
}

const mostAttempts = 3;
const pageSize = 1000;

async function readPages(api: ClusterApi, path: string, selector: string | undefined): Promise<ListAnswer> {
  const items: ListItem[] = [];
  const chosen = selector === undefined ? '' : `&labelSelector=${encodeURIComponent(selector)}`;
  let next = '';
  do {
    const more = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
    const answer = await api.get(`${path}?limit=${pageSize}${chosen}${more}`);
    if (answer.kind !== 'found') return answer;
    const page = parsePage(answer.text);
    if (page === undefined) return { kind: 'failed', message: `what the server answered to ${path} is no list` };
    for (const item of page.items) items.push(item);
    next = page.next;
  } while (next !== '');
  return { kind: 'items', items };
}

function parsePage(text: string): { readonly items: readonly ListItem[]; readonly next: string } | undefined {
  const value = parseObject(text);
  if (value === undefined) return undefined;
  const { items, metadata } = value;
  // A list without items is written with null.
  if (items !== null && !Array.isArray(items)) return undefined;
  const { continue: next } = (metadata ?? {}) as { readonly continue?: unknown };
  return { items: (items ?? []).filter(isObject), next: typeof next === 'string' ? next : '' };
}

/** Undefined: not a JSON object. */
export function parseObject(text: string): ListItem | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is ListItem {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
