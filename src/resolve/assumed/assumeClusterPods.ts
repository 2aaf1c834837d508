import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Manifests } from '../../validate/kinds/manifests.ts';
import { resolveNode } from '../resolveNode.ts';
import type { TargetOptions } from '../targetOptions.ts';
import { assumeEmptyLabels } from './assumeEmptyLabels.ts';
import { assumePods } from './assumePods.ts';

/**
 * The objects with the assumptions that the options allow: under `--assume-pods` the Pods that workloads would start,
 * spread over all Nodes, and under `--assume-empty-labels` that Pods have no labels except those that are shown.
 */
export function assumeClusterPods(
  given: Manifests,
  options: Pick<TargetOptions, 'assumesPods' | 'podAddresses' | 'podCIDRs' | 'assumesEmptyLabels'>,
  report: Report,
): Manifests {
  const manifests = assumeEmptyLabels(given, options);
  if (!options.assumesPods) return manifests;
  const { nodes } = manifests;
  // Which Node comes first makes no difference.
  const any = nodes[0]?.value.metadata.name;
  const config = { hostnameOverride: '', bindAddress: '' };
  const node = resolveNode(nodes, any === undefined ? options : { ...options, node: any }, config, () => undefined);
  return { ...manifests, pods: assumePods(manifests, node, options, report) };
}
