import { nameOf } from '../validate/fields/describe.ts';
import { isFinished } from '../validate/isFinished.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { PodObject } from '../validate/kinds/manifests.ts';
import { podIps } from './podIps.ts';

/** A Pod that packets cannot be sent to. */
export interface QuietPod {
  readonly name: string;
  readonly node: string | undefined;
  /** It has ended; otherwise it has no address yet. */
  readonly isFinished: boolean;
  /** Those that it had, canonical. */
  readonly ips: readonly string[];
}

export function quietPodsOf(pods: readonly Manifest<PodObject>[]): readonly QuietPod[] {
  return pods.flatMap(({ value }): QuietPod[] => {
    const { metadata, spec } = value;
    const ips = podIps(value);
    const ended = isFinished(value);
    if (!ended && ips.length > 0) return [];
    return [{ name: nameOf(metadata), node: spec?.nodeName ?? undefined, isFinished: ended, ips }];
  });
}
