import { type KeptInOrder, keptInOrder } from '../common/keptInOrder.ts';
import type { SourceObject } from '../load/sourceObject.ts';
import { type KeptClaims, keptClaims } from './keptClaims.ts';
import type { Manifest } from './kinds/manifest.ts';
import type { Manifests } from './kinds/manifests.ts';

/**
 * Objects about which nothing was said, and the manifests that were made of them. A later check with the same options
 * judges them only among others: objects are never written to, so by themselves they are as sound as before.
 */
export interface SoundObjects {
  readonly kept: KeptInOrder<SourceObject, SoundObject>;
  /** What all objects of the last check claim. */
  readonly claims: KeptClaims;
}

export interface SoundObject {
  readonly manifest: Manifest<unknown>;
  readonly list: keyof Manifests;
}

export function soundObjects(): SoundObjects {
  return { kept: keptInOrder(), claims: keptClaims() };
}
