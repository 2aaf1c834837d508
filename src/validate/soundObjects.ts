import type { SourceObject } from '../load/sourceObject.ts';
import type { Manifest } from './kinds/manifest.ts';

/**
 * Objects about which nothing was said, and the manifests that were made of them. A later check with the same options
 * judges them only among others: objects are never written to, so by themselves they are as sound as before.
 */
export interface SoundObjects {
  readonly manifestOf: (object: SourceObject) => Manifest<unknown> | undefined;
  readonly keep: (object: SourceObject, manifest: Manifest<unknown>) => void;
}

export function soundObjects(): SoundObjects {
  const kept = new WeakMap<SourceObject, Manifest<unknown>>();
  return {
    manifestOf: (object) => kept.get(object),
    keep: (object, manifest) => {
      kept.set(object, manifest);
    },
  };
}
