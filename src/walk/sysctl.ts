import type { WalkContext } from './context.ts';

/** A setting of the node, or the assumption if the dump does not show it. */
export function sysctl(name: string, context: WalkContext): number {
  const { sysctls, assumed } = context.input.topology;
  const assumption = assumed.get('sysctls');
  if (assumption !== undefined && !sysctls.has(name)) context.notes.assumed.add(`${name}: ${assumption}`);
  return sysctls.get(name) ?? defaults.get(name.replace(/\.conf\.[^.]+\./, '.conf.*.')) ?? 0;
}

/** The kernel's initial values, or those that every node of a cluster has set. */
const defaults: ReadonlyMap<string, number> = new Map([
  ['net.ipv4.ip_forward', 1],
  ['net.ipv6.conf.*.forwarding', 1],
  ['net.netfilter.nf_conntrack_tcp_loose', 1],
]);
