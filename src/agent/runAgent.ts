import { parseGoDuration } from '../common/text/goDuration.ts';
import type { OpenCluster } from '../live/clusterWriter.ts';
import { readHere, steadyNodeCommands } from '../live/node/readHere.ts';
import { openCluster } from '../live/openApi.ts';
import type { AgentOptions } from './agentOptions.ts';
import { type CheckSurroundings, createCheckLoop } from './checkLoop.ts';
import { systemClock } from './clock.ts';
import { followObjects } from './follow/followObjects.ts';
import { createObjectStore, type ObjectStore } from './follow/objectStore.ts';
import { openJudge } from './judge/openJudge.ts';
import { tokenReviewer } from './serve/reviewToken.ts';
import { serveAgent } from './serve/serveAgent.ts';
import type { Log } from './tell/logLine.ts';
import { createTeller } from './tell/teller.ts';

/** Substitutes for the cluster and the programs of the node. */
export interface AgentSurroundings {
  readonly cluster: OpenCluster;
  readonly read: CheckSurroundings['read'];
  /** Called with the address that it listens on. */
  readonly listening: (port: number) => void;
}

/**
 * The agent of one node, until `signal` ends it: it follows objects, checks rules, compares, and reports. It changes
 * nothing on the node. It is an error if it cannot listen on its address.
 */
export async function runAgent(
  options: AgentOptions,
  log: Log,
  signal: AbortSignal,
  given: Partial<AgentSurroundings> = {},
): Promise<void> {
  const clock = systemClock;
  const cluster = given.cluster ?? (await openCluster({ requestTimeout: requestLimit, ...options.cluster }));
  const store = createObjectStore(clock.now);
  const { node, interval, version } = options;
  const followed = followObjects(cluster.api, store, options, () => loop.changed(), signal);
  const judge = openJudge();
  const teller = createTeller(options, cluster, store, log);
  const patience = syncPatience(store);
  const loop = createCheckLoop({
    node,
    version,
    interval,
    settle: () => Math.max(options.settle, patience()),
    clock,
    api: cluster.api,
    store,
    knowledge: followed.knowledge,
    judge,
    read: given.read ?? ((report) => readHere(node, steadyNodeCommands, readLimit, report)),
    random: Math.random,
    checked: async (outcome) => {
      await served.renew();
      await teller.tell(outcome);
    },
  });
  const served = await serveAgent(options, {
    state: () => ({ ...loop.state(), events: teller.events() }),
    clock,
    patience: Math.max(4 * interval, readLimit + judgeLimit),
    servesReport: options.servesReport,
    review: options.auth === 'token-review' ? tokenReviewer(cluster.writer, clock) : undefined,
    shown: new Map(),
  });
  log('info', 'the agent watches the rules of this node', {
    node,
    listen: `${options.listen.host}:${served.port}`,
    version,
  });
  given.listening?.(served.port);
  try {
    await loop.run(signal);
  } finally {
    await Promise.all([served.close(), judge.close(), followed.ended]);
    log('info', 'the agent ends', { node });
  }
}

/** Milliseconds. */
const requestLimit = 10_000;
const readLimit = 60_000;
const judgeLimit = 120_000;

/**
 * kube-proxy may be set to write less often: a change may take twice its `minSyncPeriod`, as given in its ConfigMap.
 */
function syncPatience(store: ObjectStore): () => number {
  let known = { at: Number.NaN, milliseconds: 0 };
  return () => {
    const at = store.changedAt('ground');
    if (at !== known.at) known = { at, milliseconds: 2000 * longestSyncPeriod(store) };
    return known.milliseconds;
  };
}

function longestSyncPeriod(store: ObjectStore): number {
  let longest = 0;
  for (const { kind, text } of store.all()) {
    if (kind !== 'ConfigMap') continue;
    for (const [, period = ''] of text.matchAll(/minSyncPeriod: *"?([0-9a-zµ.]+)/g))
      longest = Math.max(longest, parseGoDuration(period) ?? 0);
  }
  return longest;
}
