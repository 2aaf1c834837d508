import { cidrContains } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';

/** A network contains the node; kube-proxy assumes a loopback address if it knows no other. */
export function holdsNode(ranges: readonly string[], nodeIP: string | undefined, family: Family): boolean {
  const ip = nodeIP ?? (family === 'ipv4' ? '127.0.0.1' : '::1');
  return ranges.some((range) => range === ip || cidrContains(range, ip));
}
