import { setTimeout } from 'node:timers/promises';
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import type { DumpFile } from '../dump/dumpFile.ts';
import type { SourceObject } from '../load/sourceObject.ts';
import type { CollectCommand } from '../script/collect/collectCommands.ts';
import { changedServices } from './changedServices.ts';
import type { ClusterApi } from './clusterApi.ts';
import { inTurns } from './lists/inTurns.ts';
import { type LiveNeeds, liveKinds } from './lists/liveKinds.ts';
import type { LiveOptions } from './liveOptions.ts';
import { dumpFileOf } from './node/dumpFileOf.ts';
import { everyNodeCommand, readNodeCommands } from './node/nodeCommands.ts';
import { nodeOpener, type Via } from './node/openNode.ts';
import { type NodeText, readNode } from './node/readNode.ts';
import { openApi } from './openApi.ts';
import { readNodeNames } from './readNodeNames.ts';
import { type OwnNamespace, readObjects } from './readObjects.ts';
import { recentServices } from './recentServices.ts';
import { rememberingApi } from './rememberingApi.ts';
import { usualSync } from './usualSync.ts';
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
  /** The same cluster in an unread state. */
  readonly again: () => Live;
  /** Follows the kinds until `signal` ends it; see `watchKind`. */
  readonly watch: (needs: LiveNeeds, events: WatchEvents, signal: AbortSignal) => Promise<void>;
  /** Requested kinds that the account may not read: `Pod`. */
  readonly hidden: () => ReadonlySet<string>;
  /** Of kinds in namespaces only some objects were read, because the account may not read more. */
  readonly isPartial: () => boolean;
  /** Services (`namespace/name`) whose rules and objects were not read in one state. */
  readonly changing: () => ReadonlySet<string>;
}

/** A request and the messages about it. */
interface Told<T> {
  readonly value: T | undefined;
  readonly said: readonly Diagnostic[];
}

export function openLive(options: LiveOptions, via: Via = { kind: 'usual' }, known?: Promise<ClusterApi>): Live {
  let opened = known;
  const api = () => {
    opened ??= openApi(options);
    return opened;
  };
  const { atOnce, readAll, readServices, hidden, isPartial } = objectReader(options, api);
  const openNode = nodeOpener(via, options, api, () => objects?.value ?? []);
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
  let objects: (Told<readonly SourceObject[]> & { readonly needs: LiveNeeds }) | undefined;
  let changing: ReadonlySet<string> = new Set();
  const readTogether = async (names: readonly string[], needs: LiveNeeds | undefined, service?: string) => {
    const within = service?.replace(/\/.*/, '');
    if (needs !== undefined && !isSame(objects?.needs, needs)) objects = await readAll(needs, within);
    for (let round = 1; ; round += 1) {
      const began = Date.now();
      await inTurns(names, nodesAtOnce, async (name) => {
        nodes.set(name, await readOne(name));
      });
      const before = objects?.value;
      if (needs === undefined || before === undefined) return;
      let after = await readServices(needs, within);
      const moved = after === undefined ? new Set<string>() : changedServices(before, after);
      // What else changed is read with them; and what cannot be read now is reported.
      if (after === undefined || moved.size > 0) {
        objects = await readAll(needs, within);
        after = objects.value;
      }
      if (after === undefined) return;
      changing = new Set([...moved, ...recentServices(after, began, usualSync)]);
      const isSettled = service === undefined ? moved.size === 0 : !changing.has(service);
      if (isSettled || round === rounds) return;
      if (service !== undefined) await setTimeout(usualSync);
    }
  };
  return {
    namespace: options.namespace,
    usualNamespace: async () => (await api()).namespace,
    nodeNames: async (selector, report, hide) => readNodeNames(await atOnce(), selector, report, hide),
    objects: async (needs, report) => {
      if (objects === undefined || !isSame(objects.needs, needs)) objects = await readAll(needs);
      return repeat(objects, report);
    },
    everything: (name, report) => ask(name, everyNodeCommand, report),
    node: async (name, report) => {
      const known = nodes.get(name) ?? (await readOne(name));
      nodes.delete(name);
      return repeat(known, report);
    },
    readTogether,
    again: () => openLive(options, via, opened),
    watch: async ({ needs, uses }, events, signal) => {
      const cluster = await api();
      const kinds = [...needs, ...uses].map((name) => liveKinds[name]).filter(({ only }) => only === undefined);
      await Promise.all(kinds.map((kind) => watchKind(cluster, kind, options.namespace, events, signal)));
    },
    hidden,
    isPartial,
    changing: () => changing,
  };
}

/** Reads objects; what two questions of one moment need is requested once. */
function objectReader(options: LiveOptions, api: () => Promise<ClusterApi>) {
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
    return { ...read, needs };
  };
  /** Only Services and their endpoints. */
  const readServices = async ({ needs }: LiveNeeds, within: string | undefined) => {
    const kinds = needs.filter((name) => name === 'services' || name === 'endpointSlices');
    return readObjects(await api(), { needs: kinds, uses: [] }, options.namespace, () => {}, new Set(), ownOf(within));
  };
  return { atOnce, readAll, readServices, hidden: () => hidden, isPartial: () => isPartial };
}

function isSame(one: LiveNeeds | undefined, other: LiveNeeds): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const nodesAtOnce = 4;
const rounds = 2;

async function told<T>(ask: (report: Report) => Promise<T | undefined>): Promise<Told<T>> {
  const said: Diagnostic[] = [];
  const value = await ask((diagnostic) => said.push(diagnostic));
  return { value, said };
}

function repeat<T>({ value, said }: Told<T>, report: Report): T | undefined {
  for (const diagnostic of said) report(diagnostic);
  return value;
}
