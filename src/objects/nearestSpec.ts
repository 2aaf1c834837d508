import type { Labels } from '../validate/kinds/objectMeta.ts';
import type { LintedPodSpec } from './lintContext.ts';

/** A hint is not worth looking at thousands of Pods for each selector. */
const mostCompared = 100;

/** What keeps the Pod that matches best from being selected by these labels; undefined: none is near. */
export function nearestSpec(selector: Labels, present: readonly LintedPodSpec[]): string | undefined {
  const pairs = Object.entries(selector);
  if (pairs.length === 0) return undefined;
  let best: { readonly spec: LintedPodSpec; readonly missing: readonly (readonly [string, string])[] } | undefined;
  for (const spec of present.slice(0, mostCompared)) {
    const missing = pairs.filter(([key, value]) => spec.labels[key] !== value);
    if (best === undefined || missing.length < best.missing.length) best = { spec, missing };
  }
  if (best === undefined || (best.missing.length === pairs.length && pairs.length > 1)) return undefined;
  const words = best.missing.map(([key]) => {
    const own = best.spec.labels[key];
    return own === undefined ? `no label ${key}` : `${key}=${own}`;
  });
  return words.length === 0 ? undefined : `${best.spec.title} has ${words.join(' and ')}`;
}
