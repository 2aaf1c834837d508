import { isWithin, parseCidr } from '../common/addresses/cidr.ts';
import type { FixNames } from '../findings/fixNames.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { proxySeen } from '../seen/proxySeen.ts';
import { otherNode } from './otherNode.ts';

/** The names on a node that its dump, or the objects of its cluster, show. */
export function fixNamesOf(dump: NodeRules, compiled?: Compiled): FixNames {
  const { podRanges: ranges, nodePortIPs } = proxySeen(dump);
  const podRanges = ranges.length === 0 ? undefined : ranges;
  const { node } = dump.network;
  const shown = { ...(node !== undefined && { node }), ...(podRanges && { podRanges }) };
  if (compiled === undefined) return shown;
  const clusterRanges = podRanges?.filter((range) => holdsAllPods(range, compiled));
  // Never advise draining a node that the dump may not come from.
  const isOther = otherNode(compiled.model, nodePortIPs) !== undefined;
  return { ...(!isOther && namesOfObjects(compiled)), ...shown, ...(clusterRanges && { clusterRanges }) };
}

/** The same from objects alone. */
export function namesOfObjects(compiled: Compiled): FixNames {
  const { node, config } = compiled.model;
  const podRanges = config.clusterCIDRs;
  const ranges =
    podRanges.length === 0
      ? {}
      : { podRanges, clusterRanges: podRanges.filter((range) => holdsAllPods(range, compiled)) };
  if (node.isNameless) return ranges;
  const proxyPod = proxyPodOn(node.name, compiled);
  return { ...ranges, node: node.name, ...(proxyPod !== undefined && { proxyPod }) };
}

/** While a new version is being rolled out, there may be two. */
function proxyPodOn(node: string, { policyManifests: { pods } }: Compiled): string | undefined {
  const [only, ...more] = pods.flatMap(({ value: { metadata, spec } }) =>
    metadata.namespace === 'kube-system' &&
    metadata.labels?.['k8s-app'] === 'kube-proxy' &&
    spec?.nodeName?.toLowerCase() === node
      ? metadata.name
      : [],
  );
  return more.length === 0 ? only : undefined;
}

/**
 * kube-proxy may recognize Pods by the range of its own node, which looks the same: only other nodes show the
 * difference.
 */
function holdsAllPods(range: string, { policyManifests: { nodes } }: Compiled): boolean {
  const whole = parseCidr(range);
  if (whole === undefined) return false;
  const own = nodes.flatMap(({ value: { spec } }) =>
    [...new Set([spec?.podCIDR, ...(spec?.podCIDRs ?? [])])].flatMap((cidr) => parseCidr(cidr ?? '') ?? []),
  );
  const fitting = own.filter(({ family }) => family === whole.family);
  return fitting.length > 1 && fitting.every((cidr) => isWithin(cidr, whole));
}
