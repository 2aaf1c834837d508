import { canonicalIp } from '../common/addresses/ip.ts';
import { isFinished } from '../validate/isFinished.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { PodObject } from '../validate/kinds/manifests.ts';

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
    const { metadata, spec, status } = value;
    const ips = [status?.podIP, ...(status?.podIPs ?? []).map(({ ip }) => ip)];
    const known = [...new Set(ips.flatMap((ip) => canonicalIp(ip ?? '') ?? []))];
    const ended = isFinished(value);
    if (!ended && known.length > 0) return [];
    const name = `${metadata.namespace ?? 'default'}/${metadata.name}`;
    return [{ name, node: spec?.nodeName ?? undefined, isFinished: ended, ips: known }];
  });
}
