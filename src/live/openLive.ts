import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import type { DumpFile } from '../dump/dumpFile.ts';
import type { SourceObject } from '../load/sourceObject.ts';
import type { CollectCommand } from '../script/collect/collectCommands.ts';
import { type ChangeLog, openChangeLog } from './changeLog.ts';
import type { ClusterApi } from './clusterApi.ts';
import { type MayLookOnceMore, openFurtherLooks } from './furtherLooks.ts';
import { inTurns } from './lists/inTurns.ts';
import { type LiveNeeds, liveKinds } from './lists/liveKinds.ts';
import type { LiveOptions } from './liveOptions.ts';
import { dumpFileOf } from './node/dumpFileOf.ts';
import { everyNodeCommand, readNodeCommands } from './node/nodeCommands.ts';
import { nodeOpener, type Via } from './node/openNode.ts';
import { type NodeText, readNode } from './node/readNode.ts';
import { openApi } from './openApi.ts';
import { type ObjectReader, openMoment, type Told } from './openMoment.ts';
import { readNodeNames } from './readNodeNames.ts';
import { type OwnNamespace, readObjects } from './readObjects.ts';
import { rememberingApi } from './rememberingApi.ts';
import { type WatchEvents, watchKind } from './watch/watchKind.ts';

/**
 * A cluster that will be read on request. Nothing is contacted until the first question, and no answer is requested
 * twice except by `readTogether`. Undefined parts could not be read, which was reported.
 */
export interface Live {
  /** The only namespace whose objects are read. */
  readonly namespace: string | undefined;
  /** That of names without one, as the context of the kubeconfig has it. */
  readonly usualNamespace: () => Promise<string | undefined>;
  readonly objects: (needs: LiveNeeds, report: Report) => Promise<readonly SourceObject[] | undefined>;
  /** The names of all nodes that a label selector chooses, in order; see `readNodeNames`. */
  readonly nodeNames: (
    selector: string | undefined,
    report: Report,
    hide?: () => void,
  ) => Promise<readonly string[] | undefined>;
  /** The output of all commands that `collect` runs on a node. */
  readonly everything: (name: string, report: Report) => Promise<readonly NodeText[] | undefined>;
  /** The content of a node; given once. */
  readonly node: (name: string, report: Report) => Promise<readonly DumpFile[] | undefined>;
  /**
   * Reads nodes, and the objects before and after them, if a command compares both: what changed meanwhile is read once
   * more. What changes again is in `changing`. If the question is about one `service`, only its changes count, and a
   * recent change is given time to reach the rules.
   */
  readonly readTogether: (names: readonly string[], needs: LiveNeeds | undefined, service?: string) => Promise<void>;
  /** The same cluster in an unread state; what changes between two readings is known to the later one. */
  readonly again: () => Live;
  /**
   * For a command that found a fault on nodes that were read together: the cluster unread again, where something deleted
   * just before the first reading, or Services that are changing, may explain it. It waits until kube-proxy had time to
   * write that. Undefined: nothing explains it so, and the fault stands.
   */
  readonly nextLook: () => Promise<Live | undefined>;
  readonly mayLookOnceMore: MayLookOnceMore;
  /** Follows the kinds until `signal` ends it; see `watchKind`. */
  readonly watch: (needs: LiveNeeds, events: WatchEvents, signal: AbortSignal) => Promise<void>;
  /** Requested kinds that the account may not read: `Pod`. */
  readonly hidden: () => ReadonlySet<string>;
  /** Of kinds in namespaces only some objects were read, because the account may not read more. */
  readonly isPartial: () => boolean;
  /** Services (`namespace/name`) whose rules and objects were not read in one state. */
  readonly changing: () => ReadonlySet<string>;
  /** For a snapshot: waits until what changed before the objects were read is in the rules. */
  readonly untilObjectsWritten: () => Promise<void>;
  /** For a snapshot: Services that changed since its objects were read, while nodes were. */
  readonly changedSince: () => Promise<ReadonlySet<string>>;
}

export function openLive(options: LiveOptions, via: Via = { kind: 'usual' }, earlier?: EarlierLook): Live {
  let opened = earlier?.opened;
  const changes = earlier?.changes ?? openChangeLog();
  const mayLookOnceMore = earlier?.mayLookOnceMore ?? openFurtherLooks();
  const api = () => {
    opened ??= openApi(options);
    return opened;
  };
  const reader = objectReader(options, api);
  const openNode = nodeOpener(via, options, api, () => moment.known());
  const ask = async (name: string, commands: readonly CollectCommand[], report: Report) => {
    const access = await openNode(name, report);
    if (access === undefined) return undefined;
    try {
      return await readNode(name, access, commands, options.nodeTimeout, report);
    } finally {
      await access.close?.();
    }
  };
  const readOne = (name: string) =>
    told(async (report) =>
      (await ask(name, readNodeCommands, report))?.map(({ command: { file }, text }) => dumpFileOf(name, file, text)),
    );
  const nodes = new Map<string, Told<readonly DumpFile[]>>();
  const moment = openMoment(reader, changes, (names) =>
    inTurns(names, nodesAtOnce, async (name) => {
      nodes.set(name, await readOne(name));
    }),
  );
  const again = () => openLive(options, via, { opened, changes, mayLookOnceMore });
  return {
    namespace: options.namespace,
    usualNamespace: async () => (await api()).namespace,
    nodeNames: async (selector, report, hide) => readNodeNames(await reader.atOnce(), selector, report, hide),
    objects: async (needs, report) => repeat(await moment.objects(needs), report),
    everything: (name, report) => ask(name, everyNodeCommand, report),
    node: async (name, report) => {
      const known = nodes.get(name) ?? (await readOne(name));
      nodes.delete(name);
      return repeat(known, report);
    },
    readTogether: moment.readTogether,
    again,
    nextLook: async () => ((await moment.untilWritten()) ? again() : undefined),
    mayLookOnceMore,
    watch: async ({ needs, uses }, events, signal) => {
      const cluster = await api();
      const kinds = [...needs, ...uses].map((name) => liveKinds[name]).filter(({ only }) => only === undefined);
      await Promise.all(kinds.map((kind) => watchKind(cluster, kind, options.namespace, events, signal)));
    },
    hidden: reader.hidden,
    isPartial: reader.isPartial,
    changing: moment.changing,
    untilObjectsWritten: moment.untilObjectsWritten,
    changedSince: moment.changedSince,
  };
}

/** What a later look at a cluster has of an earlier one. */
interface EarlierLook {
  readonly opened: Promise<ClusterApi> | undefined;
  readonly changes: ChangeLog;
  readonly mayLookOnceMore: MayLookOnceMore;
}

/** `hidden`, `isPartial`: see `Live`. */
interface CountingReader extends ObjectReader {
  readonly atOnce: () => Promise<ClusterApi>;
  readonly hidden: () => ReadonlySet<string>;
  readonly isPartial: () => boolean;
}

/** Reads objects; what two questions of one moment need is requested once. */
function objectReader(options: LiveOptions, api: () => Promise<ClusterApi>): CountingReader {
  let moment: Promise<ClusterApi> | undefined;
  let hidden: ReadonlySet<string> = new Set();
  let isPartial = false;
  const ownOf = (namespace: string | undefined): OwnNamespace | undefined =>
    namespace === undefined
      ? undefined
      : {
          namespace,
          isPartial: () => {
            isPartial = true;
          },
        };
  const atOnce = () => {
    moment ??= api().then(rememberingApi);
    return moment;
  };
  const readAll = async (needs: LiveNeeds, within?: string) => {
    const denied = new Set<string>();
    const read = await told(async (report) => {
      const cluster = await atOnce();
      return readObjects(cluster, needs, options.namespace, report, denied, ownOf(within));
    });
    moment = undefined;
    hidden = denied;
    const isAsked = [...needs.needs, ...needs.uses].includes('pods');
    const isWhole = read.value !== undefined && !denied.has('Pod') && options.namespace === undefined && !isPartial;
    return { ...read, needs, hasAllPods: isAsked && isWhole };
  };
  /** Only Services and their endpoints. */
  const readServices = async ({ needs }: LiveNeeds, within: string | undefined) => {
    const kinds = needs.filter((name) => name === 'services' || name === 'endpointSlices');
    return readObjects(await api(), { needs: kinds, uses: [] }, options.namespace, () => {}, new Set(), ownOf(within));
  };
  return { atOnce, readAll, readServices, hidden: () => hidden, isPartial: () => isPartial };
}

const nodesAtOnce = 4;

async function told<T>(ask: (report: Report) => Promise<T | undefined>): Promise<Told<T>> {
  const said: Diagnostic[] = [];
  const value = await ask((diagnostic) => said.push(diagnostic));
  return { value, said };
}

function repeat<T>({ value, said }: Told<T>, report: Report): T | undefined {
  for (const diagnostic of said) report(diagnostic);
  return value;
}
