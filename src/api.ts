import type { Report } from './diagnostics/diagnostic.ts';
import type { Loaded } from './load/load.ts';

/** What `import … from 'k8snet'` gives in Node: the core, and reading of files. Browsers get the core alone. */

// biome-ignore lint/performance/noBarrelFile: this is the package's entry; nothing inside imports it.
export * from './core.ts';

/** Reads manifests: files, directories (with those below them, if `recursive`), `-` for standard input. */
export async function load(paths: readonly string[], report: Report, recursive = false): Promise<Loaded> {
  return (await import('./load/load.ts')).load(paths, { recursive }, report);
}
