import { listChanges } from '../common/listChanges.ts';
import type { Manifest } from './kinds/manifest.ts';
import type { Manifests } from './kinds/manifests.ts';

/**
 * What objects claim, each of which one object alone may have: names, cluster IPs, node ports. Objects that are sound by
 * themselves are sound beside each other where nothing is claimed twice.
 */
export interface Claims {
  readonly lists: readonly (keyof Manifests)[];
  /** Nothing twice. What stands in several lists is claimed in each of them by itself. */
  readonly of: (manifest: Manifest<unknown>, list: keyof Manifests) => Iterable<string>;
}

/** Claims that are kept from check to check: after an edit only objects that came or went are asked for theirs. */
export interface KeptClaims {
  readonly areAllDifferent: (manifests: Manifests, claims: Claims) => boolean;
}

export function keptClaims(): KeptClaims {
  const kept = new Map<Claims, Map<keyof Manifests, Counted>>();
  return {
    areAllDifferent: (manifests, claims) => {
      const byList = kept.get(claims) ?? new Map<keyof Manifests, Counted>();
      kept.set(claims, byList);
      let doubled = 0;
      for (const list of claims.lists) {
        const counted = byList.get(list) ?? { last: [], counts: new Map(), doubled: 0 };
        byList.set(list, counted);
        count(counted, manifests[list], (manifest) => claims.of(manifest, list));
        doubled += counted.doubled;
      }
      return doubled === 0;
    },
  };
}

interface Counted {
  last: readonly Manifest<unknown>[];
  readonly counts: Map<string, number>;
  /** How many claims there are more than once. */
  doubled: number;
}

function count(
  counted: Counted,
  now: readonly Manifest<unknown>[],
  claimsOf: (manifest: Manifest<unknown>) => Iterable<string>,
): void {
  const { counts, last } = counted;
  const { gone, added } = listChanges(last, now);
  for (const manifest of gone) {
    for (const claim of claimsOf(manifest)) {
      const left = (counts.get(claim) ?? 0) - 1;
      if (left === 1) counted.doubled -= 1;
      if (left > 0) counts.set(claim, left);
      else counts.delete(claim);
    }
  }
  for (const manifest of added) {
    for (const claim of claimsOf(manifest)) {
      const more = (counts.get(claim) ?? 0) + 1;
      if (more === 2) counted.doubled += 1;
      counts.set(claim, more);
    }
  }
  counted.last = now;
}
