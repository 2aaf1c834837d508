import { canonicalIps } from '../common/addresses/canonicalIps.ts';
import type { PodObject } from '../validate/kinds/manifests.ts';

/** The addresses that the status of a Pod shows, canonical, each once; `podIP` first. */
export function podIps({ status }: Pick<PodObject, 'status'>): readonly string[] {
  return canonicalIps([status?.podIP, ...(status?.podIPs ?? []).map(({ ip }) => ip)]);
}
