import type { Loaded } from '../load/loaded.ts';
import { noSources } from '../load/noSources.ts';
import { type Result, resultOf } from './result.ts';

/**
 * What `import … from 'k8snet'` gives in a browser: the core, and in place of what reads files and clusters a function of
 * the same name that says that it can't. So one set of types is true of both.
 */

// biome-ignore lint/performance/noBarrelFile: this is the package's entry for browsers.
export * from './core.ts';

export function load(): Promise<Result<Loaded>> {
  return refused('files cannot be read in a browser', 'loadTexts takes their texts', {
    objects: [],
    sources: noSources,
  });
}

export function loadConfig(): Promise<Result<Loaded>> {
  return load();
}

export function readCluster(): Promise<Result<undefined>> {
  return refused('clusters cannot be read in a browser', 'loadTexts takes what kubectl prints', undefined);
}

export function readNode(): Promise<Result<undefined>> {
  return refused('nodes cannot be read in a browser', 'readDump takes what the tools of the node print', undefined);
}

function refused<Value>(message: string, hint: string, value: Value): Promise<Result<Value>> {
  return resultOf((report) => {
    report({ code: 'bad-option', severity: 'error', message, at: [], hint });
    return value;
  });
}
