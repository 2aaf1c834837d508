import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage now. Of lists and dumps of a large node hundreds of megabytes would stay until the engine finds time,
 * and a Pod with a limit is ended before that.
 */
export function releaseMemory(): void {
  const { Bun: bun } = globalThis as { readonly Bun?: { readonly gc: (isSync: boolean) => void } };
  if (bun !== undefined) {
    bun.gc(true);
    return;
  }
  collect ??= exposedCollector();
  collect();
}

let collect: (() => void) | undefined;

/** Node has the function only for contexts that are made behind its flag. */
function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
