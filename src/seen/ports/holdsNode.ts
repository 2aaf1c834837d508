import { cidrContains } from '../../common/cidr.ts';
import type { Family } from '../../common/family.ts';

/** A network holds the node, which kube-proxy takes for a loopback address where it does not know another. */
export function holdsNode(ranges: readonly string[], nodeIP: string | undefined, family: Family): boolean {
  const ip = nodeIP ?? (family === 'ipv4' ? '127.0.0.1' : '::1');
  return ranges.some((range) => range === ip || cidrContains(range, ip));
}
