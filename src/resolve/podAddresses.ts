import type { PodObject } from '../validate/kinds/manifests.ts';

/** Every address of a Pod, one for each family as the kubelet reports them. */
export function podAddresses(pod: PodObject): readonly string[] {
  const ips = (pod.status?.podIPs ?? []).map(({ ip }) => ip);
  return ips.length > 0 ? ips : pod.status?.podIP ? [pod.status.podIP] : [];
}
