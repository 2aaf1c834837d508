import { canonicalIp } from '../../common/addresses/ip.ts';
import { compareBytes } from '../../common/compareBytes.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { NodeObject } from '../../validate/kinds/manifests.ts';

/** A node that connections may be sent to. */
export interface BalancerNode {
  readonly name: string;
  /** InternalIPs, canonical, in their order; at least one. */
  readonly ips: readonly string[];
}

const excludingLabel = 'node.kubernetes.io/exclude-from-external-load-balancers';

/**
 * The nodes that the cloud controller would hand to a balancer, in byte order: those that are not excluded by label, are
 * not going away and are not known to be unready. The others are noted.
 */
export function balancerNodes(nodes: readonly Manifest<NodeObject>[], report: Report): readonly BalancerNode[] {
  const found: BalancerNode[] = [];
  for (const { value, origin } of nodes) {
    const { name } = value.metadata;
    const reason = reasonToExclude(value);
    const ips = (value.status?.addresses ?? [])
      .filter(({ type }) => type === 'InternalIP')
      .map(({ address }) => canonicalIp(address))
      .filter((ip) => ip !== undefined);
    if (reason !== undefined) {
      report({
        code: 'node-excluded',
        severity: 'note',
        message: `Node ${name} is left out: it ${reason}`,
        at: [origin],
      });
    } else if (ips.length === 0) {
      report({
        code: 'node-without-address',
        severity: 'warning',
        message: `Node ${name} is left out: it has no InternalIP`,
        at: [origin],
      });
    } else {
      found.push({ name, ips });
    }
  }
  return found.sort((a, b) => compareBytes(a.name, b.name));
}

function reasonToExclude({ metadata, status }: NodeObject): string | undefined {
  if (Object.hasOwn(metadata.labels ?? {}, excludingLabel)) return `has the label ${excludingLabel}`;
  if (metadata.deletionTimestamp) return 'is being deleted';
  const ready = (status?.conditions ?? []).find(({ type }) => type === 'Ready');
  return ready !== undefined && ready.status !== 'True' ? 'is not ready' : undefined;
}
