import type { Report } from './diagnostics/diagnostic.ts';
import type { Loaded } from './load/load.ts';
import { unpackLoaded } from './load/unpackLoaded.ts';

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
  const { load: read } = await import('./load/load.ts');
  const ahead = isForRules ? (await import('./pipeline/slicesAhead.ts')).slicesAhead : undefined;
  return unpackLoaded(await read(paths, { recursive, ahead }, report), report);
}

/** Reads what `--config` takes: a KubeProxyConfiguration, the ConfigMap that holds one, or kube-proxy's own flags. */
export async function loadConfig(path: string, report: Report): Promise<Loaded> {
  const { load: read } = await import('./load/load.ts');
  return unpackLoaded(await read([path], { recursive: false, readsFlags: true }, report), report);
}
