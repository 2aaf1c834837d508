import type { Report } from '../diagnostics/diagnostic.ts';
import type { Manifests } from '../validate/manifests.ts';
import { assumePods } from './assumePods.ts';
import { resolveNode } from './resolveNode.ts';
import type { TargetOptions } from './targetOptions.ts';

/** Under `--assume-pods` the objects with the Pods that workloads would start, spread over all Nodes. */
export function assumeClusterPods(
  manifests: Manifests,
  options: Pick<TargetOptions, 'assumesPods' | 'podCIDRs'>,
  report: Report,
): Manifests {
  if (!options.assumesPods) return manifests;
  const { nodes } = manifests;
  // Which Node comes first makes no difference.
  const any = nodes[0]?.value.metadata.name;
  const config = { hostnameOverride: '', bindAddress: '' };
  const node = resolveNode(nodes, any === undefined ? options : { ...options, node: any }, config, () => undefined);
  return { ...manifests, pods: assumePods(manifests, node, options, report) };
}
