import type { Report } from '../diagnostics/diagnostic.ts';
import type { LiveNeeds } from '../live/liveKinds.ts';
import type { LiveOptions } from '../live/liveOptions.ts';
import type { Via } from '../live/node/openNode.ts';
import type { Loaded } from '../load/load.ts';
import { noSources } from '../load/noSources.ts';
import { unpackLoaded } from '../load/unpackLoaded.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { readDump } from './core.ts';

/**
 * What `import … from 'k8snet'` gives in Node, and what the commands use: the core, and reading of files. Browsers get the
 * core alone.
 */

// biome-ignore lint/performance/noBarrelFile: this is the package's entry; inside, only files are read by it.
export * from './core.ts';

/**
 * Reads manifests: files, directories (with those below them, if `recursive`), `-` for standard input. With `isForRules`,
 * EndpointSlices of a long List keep only what rules need; asked for `endpoints`, they read them from the file again.
 */
export async function load(
  paths: readonly string[],
  report: Report,
  recursive = false,
  isForRules = false,
): Promise<Loaded> {
  const { load: read } = await import('../load/load.ts');
  const ahead = isForRules ? (await import('../pipeline/slicesAhead.ts')).slicesAhead : undefined;
  return unpackLoaded(await read(paths, { recursive, ahead }, report), report);
}

/** Reads what `--config` takes: a KubeProxyConfiguration, the ConfigMap that holds one, or kube-proxy's own flags. */
export async function loadConfig(path: string, report: Report): Promise<Loaded> {
  const { load: read } = await import('../load/load.ts');
  return unpackLoaded(await read([path], { recursive: false, readsFlags: true }, report), report);
}

/** Which cluster is read and as whom: kubectl's own options; times in milliseconds. */
export interface ClusterOptions extends LiveOptions {
  /** Kinds that are read; the default is every kind that anything here looks at. Secrets are none of them. */
  readonly kinds?: LiveNeeds;
  /** How nodes are reached; the default is the Pod of k8snet's agent where one runs, else kube-proxy's. */
  readonly via?: Via;
}

/**
 * Reads the objects of a cluster as `kubectl` reaches it, or in a Pod that of the Pod; what it gives is used as what `load` gives.
 * What the account may not read is reported. Undefined: Services or their endpoints could not be read.
 */
export async function readCluster(options: ClusterOptions, report: Report): Promise<Loaded | undefined> {
  const [{ openLive }, { everyKind }] = await Promise.all([
    import('../live/openLive.ts'),
    import('../live/liveKinds.ts'),
  ]);
  const { kinds = everyKind, via, ...live } = options;
  const objects = await openLive(live, via).objects(kinds, report);
  return objects && unpackLoaded({ objects, sources: noSources }, report);
}

/**
 * Reads the rules of a node of the cluster, and the facts beside them, by programs that only read. What they do not show is
 * reported. Undefined: the node could not be read.
 */
export async function readNode(node: string, options: ClusterOptions, report: Report): Promise<NodeRules | undefined> {
  const { openLive } = await import('../live/openLive.ts');
  const { kinds: _, via, ...live } = options;
  const files = await openLive(live, via).node(node, report);
  return files && readDump(files, { name: node });
}
