import { nameOf } from '../validate/fields/describe.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { PodObject } from '../validate/kinds/manifests.ts';

/** The Pod with this name: `shop/web-1`. */
export function podNamed(pods: readonly Manifest<PodObject>[], name: string): PodObject | undefined {
  return pods.find(({ value }) => nameOf(value.metadata) === name)?.value;
}
