import { setTimeout } from 'node:timers/promises';
import type { ApiAnswer, ClusterApi } from '../clusterApi.ts';
import type { LiveKind } from '../lists/liveKinds.ts';
import { pathOf } from '../lists/readKind.ts';
import { parseObject } from '../lists/readList.ts';

/** The reports of a watch: something changed, or it cannot follow a kind (undefined: it can again). */
export interface WatchEvents {
  readonly changed: () => void;
  readonly state: (kind: LiveKind, problem: string | undefined) => void;
}

/**
 * Follows one kind until `signal` ends it. A connection that ends is resumed at its last place; if the server no longer
 * knows that place, the events since then are unknown and count as a change. A server that does not answer is asked
 * again, less and less often.
 */
export async function watchKind(
  api: ClusterApi,
  of: LiveKind,
  namespace: string | undefined,
  events: WatchEvents,
  signal: AbortSignal,
): Promise<void> {
  const [apiVersion = ''] = of.groupVersions;
  const path = pathOf(apiVersion, of, namespace);
  let place: string | undefined;
  let pause = shortestPause;
  let isLost = false;
  const lose = async (problem: string) => {
    if (!isLost) events.state(of, problem);
    isLost = true;
    await wait(pause, signal);
    pause = Math.min(longestPause, 2 * pause);
  };
  while (!signal.aborted) {
    if (place === undefined) {
      const start = await api.get(`${path}?limit=1`);
      // A kind that the server does not have does not change.
      if (start.kind === 'refused' && start.reason === 'NotFound') return;
      place = start.kind === 'found' ? placeOf(start.text) : undefined;
      if (place === undefined) {
        await lose(problemOf(start));
        continue;
      }
      if (isLost) events.changed();
    }
    const from: string = place;
    const end = await api.follow(
      watchPath(path, from),
      (line) => {
        const event = readEvent(line);
        if (isLost) events.state(of, undefined);
        isLost = false;
        pause = shortestPause;
        place = event.place ?? (event.kind === 'error' ? undefined : place);
        if (event.kind !== 'bookmark') events.changed();
      },
      signal,
    );
    if (signal.aborted) return;
    if (end.kind === 'refused' && end.reason === 'Expired') {
      place = undefined;
      events.changed();
    } else if (end.kind !== 'found') await lose(problemOf(end));
    else if (isLost) {
      events.state(of, undefined);
      isLost = false;
    }
  }
}

/** Milliseconds. */
const shortestPause = 1000;
const longestPause = 30_000;
/** After this many seconds the server ends a connection: nobody waits longer for a hanging one. */
const longestWatch = 240;

function watchPath(path: string, place: string): string {
  return `${path}?watch=1&allowWatchBookmarks=true&timeoutSeconds=${longestWatch}&resourceVersion=${encodeURIComponent(place)}`;
}

async function wait(time: number, signal: AbortSignal): Promise<void> {
  await setTimeout(time, undefined, { signal }).catch(() => {});
}

function placeOf(text: string): string | undefined {
  const { metadata } = parseObject(text) ?? {};
  const { resourceVersion } = (metadata ?? {}) as { readonly resourceVersion?: unknown };
  return typeof resourceVersion === 'string' && resourceVersion !== '' ? resourceVersion : undefined;
}

function problemOf(answer: ApiAnswer): string {
  return answer.kind === 'found' ? 'the server does not say where its list stands' : answer.message;
}

interface WatchEvent {
  readonly kind: 'change' | 'bookmark' | 'error';
  readonly place: string | undefined;
}

/** `{"type":"MODIFIED","object":{…}}`; ERROR usually means that the place is too old. */
function readEvent(line: string): WatchEvent {
  const { type, object } = parseObject(line) ?? {};
  if (type === 'ERROR' || typeof type !== 'string') return { kind: 'error', place: undefined };
  const place = placeOf(JSON.stringify(object ?? {}));
  return { kind: type === 'BOOKMARK' ? 'bookmark' : 'change', place };
}
