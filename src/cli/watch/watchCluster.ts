import { setTimeout } from 'node:timers/promises';
import { escapeText } from '../../common/text/escapeText.ts';
import type { LiveNeeds } from '../../live/lists/liveKinds.ts';
import type { Live } from '../../live/openLive.ts';
import { endedUnread } from '../write/endUnread.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { writeOut } from '../write/writeOut.ts';
import { eventsBetween, type SeenState, type WatchEvent } from './seenState.ts';

export interface WatchQuestion {
  readonly live: Live;
  /** Objects that are followed; undefined: only the nodes are checked. */
  readonly needs: LiveNeeds | undefined;
  /** Milliseconds between two looks at the nodes. */
  readonly interval: number;
  readonly isJson: boolean;
  /** Looks once, at a cluster that has not been read yet. */
  readonly look: (live: Live) => Promise<SeenState>;
}

/**
 * Looks again when an object changes, and at the interval. Prints changes, one line each, until Ctrl-C, or until the
 * output is closed; returns the exit code of the last look.
 */
export async function watchCluster({ live, needs, interval, isJson, look }: WatchQuestion): Promise<number> {
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of endSignals) process.once(signal, end);
  const bell = createBell(ending.signal);
  const print = (events: readonly WatchEvent[]) => {
    if (events.length > 0 && !writeOut(events.map((event) => lineOf(event, isJson)))) end();
  };
  const following =
    needs &&
    live.watch(
      needs,
      {
        changed: bell.ring,
        state: ({ resource }, problem) =>
          print([
            problem === undefined
              ? { event: 'gone', text: `${resource} are not followed` }
              : { event: 'new', text: `${resource} are not followed, and read at the interval only: ${problem}` },
          ]),
      },
      ending.signal,
    );
  let before: SeenState | undefined;
  try {
    while (!ending.signal.aborted) {
      const fresh = live.again();
      const now = await lookOnce(look, fresh, before);
      if (ending.signal.aborted) break;
      print(eventsBetween(before, now));
      before = now;
      await bell.wait(fresh.changing().size > 0 ? Math.min(interval, soon) : interval);
    }
  } finally {
    end();
    for (const signal of endSignals) process.removeListener(signal, end);
    await following;
  }
  return before?.code ?? exitCodes.ok;
}

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A recent change is checked again when kube-proxy has had time to write it. */
const soon = 3000;
/** Changes come in groups. */
const gathering = 500;

/** An unreadable cluster is a state like any other: the watch continues. */
async function lookOnce(look: WatchQuestion['look'], live: Live, before: SeenState | undefined): Promise<SeenState> {
  try {
    return await look(live);
  } catch (error) {
    if (!endedUnread(error)) throw error;
    const lines = new Map(before?.lines);
    return {
      lines,
      summary: 'unknown: the cluster cannot be read now; what was found before stands',
      code: exitCodes.unread,
    };
  }
}

function lineOf({ event, text }: WatchEvent, isJson: boolean): string {
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  if (isJson) return `${JSON.stringify({ time, event, text: escapeText(text) })}\n`;
  return `${time} ${event === 'state' ? '' : `${event}: `}${escapeText(text)}\n`;
}

/** Wakes a waiting caller, or the next one that begins to wait. */
function createBell(signal: AbortSignal): {
  readonly ring: () => void;
  readonly wait: (time: number) => Promise<void>;
} {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      hasRung = true;
      wake?.();
    },
    wait: async (time) => {
      if (!hasRung) {
        const woken = new AbortController();
        wake = () => woken.abort();
        await setTimeout(time, undefined, { signal: AbortSignal.any([woken.signal, signal]) }).catch(() => {});
        wake = undefined;
      }
      if (hasRung) await setTimeout(gathering, undefined, { signal }).catch(() => {});
      hasRung = false;
    },
  };
}
