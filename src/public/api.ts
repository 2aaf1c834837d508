import type { LiveNeeds } from '../live/lists/liveKinds.ts';
import type { LiveOptions } from '../live/liveOptions.ts';
import type { Via } from '../live/node/openNode.ts';
import type { Loaded } from '../load/loaded.ts';
import { noSources } from '../load/noSources.ts';
import { unpackLoaded } from '../load/unpackLoaded.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { areOptions, type OptionRules } from './options/checkOptions.ts';
import { flag, record, text, texts, whole } from './options/valueRule.ts';
import { type Result, resultOf } from './result.ts';

/**
 * What `import … from 'k8snet'` gives in Node, and what the commands use: the core, and reading of files and clusters.
 * Browsers get the same names from `browser.ts`.
 */

// biome-ignore lint/performance/noBarrelFile: this is the package's entry; inside, only files are read by it.
export * from './core.ts';

/** Which manifests are read, and how much of them. */
export interface LoadOptions {
  /** Directories with those below them. Default false. */
  readonly recursive?: boolean;
  /** EndpointSlices of a long List keep only what rules need; asked for `endpoints`, they read them from the file again. */
  readonly onlyForRules?: boolean;
}

const loadRules: OptionRules<LoadOptions> = { recursive: flag, onlyForRules: flag };
const nothing: Loaded = { objects: [], sources: noSources };

/** Reads manifests: files, directories, `-` for standard input. */
export async function load(paths: readonly string[], options: LoadOptions = {}): Promise<Result<Loaded>> {
  return resultOf(async (report) => {
    if (!areOptions(options, loadRules, report)) return nothing;
    const { recursive = false, onlyForRules = false } = options;
    const { load: read } = await import('../load/files/load.ts');
    const ahead = onlyForRules ? (await import('../pipeline/ahead/slicesAhead.ts')).slicesAhead : undefined;
    return unpackLoaded(await read(paths, { recursive, ahead }, report), report);
  });
}

/** Reads what `--config` takes: a KubeProxyConfiguration, the ConfigMap that holds one, or kube-proxy's own flags. */
export async function loadConfig(path: string): Promise<Result<Loaded>> {
  return resultOf(async (report) => {
    const { load: read } = await import('../load/files/load.ts');
    return unpackLoaded(await read([path], { recursive: false, readsFlags: true }, report), report);
  });
}

/** Which cluster is read and as whom: kubectl's own options; times in milliseconds. */
export interface ClusterOptions extends LiveOptions {
  /** Kinds to read; the default is every kind that anything here looks at. Secrets are never read. */
  readonly kinds?: LiveNeeds;
  /** How nodes are reached; the default is the Pod of k8snet's agent if one runs, otherwise kube-proxy's. */
  readonly via?: Via;
}

const clusterRules: OptionRules<ClusterOptions> = {
  context: text,
  kubeconfig: text,
  namespace: text,
  as: text,
  asGroup: texts,
  requestTimeout: whole(1),
  nodeTimeout: whole(1),
  kinds: record,
  via: record,
};

/**
 * Reads the objects of a cluster as `kubectl` reaches it, or in a Pod that of the Pod; what it gives is used as what
 * `load` gives. What the account may not read is reported. The value is undefined where Services or their endpoints could
 * not be read.
 */
export async function readCluster(options: ClusterOptions = {}): Promise<Result<Loaded | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, clusterRules, report)) return undefined;
    const [{ openLive }, { everyKind }] = await Promise.all([
      import('../live/openLive.ts'),
      import('../live/lists/liveKinds.ts'),
    ]);
    const { kinds = everyKind, via, ...live } = options;
    const objects = await openLive(live, via).objects(kinds, report);
    return objects && unpackLoaded({ objects, sources: noSources }, report);
  });
}

/**
 * Reads the rules of a node of the cluster, and the facts beside them, by programs that only read. What they do not show
 * is reported. The value is undefined where the node could not be read.
 */
export async function readNode(node: string, options: ClusterOptions = {}): Promise<Result<NodeRules | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, clusterRules, report)) return undefined;
    const [{ openLive }, { readDumps }] = await Promise.all([
      import('../live/openLive.ts'),
      import('../dump/readDumps.ts'),
    ]);
    const { kinds: _, via, ...live } = options;
    const files = await openLive(live, via).node(node, report);
    return files && readDumps(files, { name: node });
  });
}
