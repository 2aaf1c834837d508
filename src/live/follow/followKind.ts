import { setTimeout } from 'node:timers/promises';
import type { ApiAnswer, ClusterApi } from '../clusterApi.ts';
import type { LiveKind } from '../lists/liveKinds.ts';
import { pathOf } from '../lists/readKind.ts';
import { type ListItem, parseObject } from '../lists/readList.ts';

/** Which objects of a kind are followed: all, those of one namespace, or those with certain fields. */
export interface FollowedKind {
  readonly of: LiveKind;
  readonly namespace?: string;
  /** `metadata.name=n1` */
  readonly fieldSelector?: string;
}

/** Whether the state of a kind is known at this moment. `absent`: the server does not have it. */
export type FollowState =
  | { readonly kind: 'followed' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'forbidden'; readonly verb: 'list' | 'watch'; readonly message: string }
  | { readonly kind: 'lost'; readonly message: string };

/** What the follower of a kind gets: the list first, in pieces, then each change. */
export interface FollowEvents {
  /** A list begins, either the first one or a new one after missed changes. */
  readonly listing: () => void;
  readonly item: (apiVersion: string, item: ListItem) => void;
  /** The list is complete: objects missing in it are deleted. */
  readonly listed: () => void;
  readonly removed: (item: ListItem) => void;
  readonly state: (state: FollowState) => void;
}

/**
 * Passes on the objects of one kind until `signal` ends it. A connection that ends is resumed at its last place; if the
 * server no longer knows that place, everything is listed again. A server that does not answer is asked again, less and
 * less often.
 */
export async function followKind(
  api: ClusterApi,
  followed: FollowedKind,
  events: FollowEvents,
  signal: AbortSignal,
): Promise<void> {
  let version = 0;
  let place: string | undefined;
  let pause = shortestPause;
  const versions = followed.of.groupVersions;
  const lose = async (state: FollowState) => {
    events.state(state);
    await wait(pause * (0.5 + Math.random() / 2), signal);
    pause = Math.min(longestPause, 2 * pause);
  };
  while (!signal.aborted) {
    const apiVersion = versions[version] ?? '';
    const path = pathOf(apiVersion, followed.of, followed.namespace);
    if (place === undefined) {
      const list = await listAll(api, path, followed, (item) => events.item(apiVersion, item), events.listing);
      if (signal.aborted) return;
      if (list.kind === 'listed') {
        events.listed();
        place = list.place;
      } else if (list.answer.kind === 'refused' && list.answer.reason === 'NotFound') {
        version += 1;
        if (version < versions.length) continue;
        version = 0;
        events.state({ kind: 'absent' });
        await wait(absentPause, signal);
        continue;
      } else {
        await lose(stateOf(list.answer, 'list'));
        continue;
      }
    }
    // A watch with an answer counts at its first sign of life; a quiet one counts at once.
    events.state({ kind: 'followed' });
    const end: ApiAnswer = await api.follow(
      watchPath(path, place, followed),
      (line) => {
        const event = readEvent(line);
        pause = shortestPause;
        place = event.place ?? (event.kind === 'error' ? undefined : place);
        if (event.item === undefined) return;
        if (event.kind === 'removed') events.removed(event.item);
        else if (event.kind === 'changed') events.item(apiVersion, event.item);
      },
      AbortSignal.any([signal, AbortSignal.timeout((longestWatch + graceOfWatch) * 1000)]),
    );
    if (signal.aborted) return;
    if (end.kind === 'refused' && end.reason === 'Expired') place = undefined;
    else if (end.kind !== 'found') await lose(stateOf(end, 'watch'));
    else pause = shortestPause;
  }
}

/** Milliseconds. */
const shortestPause = 500;
const longestPause = 10_000;
const absentPause = 300_000;
/** After this many seconds the server ends a connection; a hanging one is given up here a little later. */
const longestWatch = 240;
const graceOfWatch = 15;
const pageSize = 500;

type Listed =
  | { readonly kind: 'listed'; readonly place: string }
  | { readonly kind: 'not'; readonly answer: ApiAnswer };

async function listAll(
  api: ClusterApi,
  path: string,
  { fieldSelector }: FollowedKind,
  take: (item: ListItem) => void,
  begin: () => void,
): Promise<Listed> {
  const chosen = fieldSelector === undefined ? '' : `&fieldSelector=${encodeURIComponent(fieldSelector)}`;
  let next = '';
  for (let isFirst = true; ; isFirst = false) {
    const more = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
    const answer = await api.get(`${path}?limit=${pageSize}${chosen}${more}`);
    if (answer.kind !== 'found') return { kind: 'not', answer };
    const page = parseObject(answer.text);
    const { continue: further = '', resourceVersion } = (page?.metadata ?? {}) as ListMeta;
    if (page === undefined || typeof resourceVersion !== 'string' || resourceVersion === '')
      return { kind: 'not', answer: { kind: 'failed', message: `what the server answered to ${path} is no list` } };
    if (isFirst) begin();
    if (Array.isArray(page.items)) for (const item of page.items as readonly ListItem[]) take(item);
    next = further;
    if (next === '') return { kind: 'listed', place: resourceVersion };
  }
}

interface ListMeta {
  readonly continue?: string;
  readonly resourceVersion?: unknown;
}

function watchPath(path: string, place: string, { fieldSelector }: FollowedKind): string {
  const chosen = fieldSelector === undefined ? '' : `&fieldSelector=${encodeURIComponent(fieldSelector)}`;
  return `${path}?watch=1&allowWatchBookmarks=true&timeoutSeconds=${longestWatch}${chosen}&resourceVersion=${encodeURIComponent(place)}`;
}

function stateOf(answer: ApiAnswer, verb: 'list' | 'watch'): FollowState {
  if (answer.kind === 'found') return { kind: 'lost', message: 'the server does not say where its list stands' };
  const { message } = answer;
  return answer.kind === 'refused' && answer.reason === 'Forbidden'
    ? { kind: 'forbidden', verb, message }
    : { kind: 'lost', message };
}

async function wait(time: number, signal: AbortSignal): Promise<void> {
  await setTimeout(time, undefined, { signal }).catch(() => {});
}

interface FollowedEvent {
  readonly kind: 'changed' | 'removed' | 'bookmark' | 'error';
  readonly place: string | undefined;
  readonly item?: ListItem;
}

/** `{"type":"MODIFIED","object":{…}}`; ERROR usually means that the place is too old. */
function readEvent(line: string): FollowedEvent {
  const { type, object } = parseObject(line) ?? {};
  if (type === 'ERROR' || typeof type !== 'string' || typeof object !== 'object' || object === null)
    return { kind: 'error', place: undefined };
  const item = object as ListItem;
  const { resourceVersion } = (item.metadata ?? {}) as ListMeta;
  const place = typeof resourceVersion === 'string' && resourceVersion !== '' ? resourceVersion : undefined;
  if (type === 'BOOKMARK') return { kind: 'bookmark', place };
  return { kind: type === 'DELETED' ? 'removed' : 'changed', place, item };
}
