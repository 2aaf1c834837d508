import type { Family } from '../common/family.ts';
import { linesOf } from './chainLines.ts';
import type { NodeRules } from './nodeRules.ts';

/**
 * Where kube-proxy of userspace mode listened for each Service port when the rules were dumped, by name and protocol. It
 * chooses these ports at random, so nothing else can tell them.
 */
export function dumpedProxyPorts(
  rules: NodeRules | undefined,
  family: Family,
): (name: string, protocol: string) => number | undefined {
  const ports = new Map<string, number>();
  for (const set of rules?.iptables ?? []) {
    if (set.family !== family) continue;
    const chains = set.tables.get('nat')?.chains;
    for (const chain of leadingChains) {
      for (const line of linesOf(chains?.get(chain))) {
        // The colon of an unnamed port is that of the version.
        const name = / --comment "?([^" ]+?):?"? /.exec(line)?.[1];
        const protocol = / -p (tcp|udp) /.exec(line)?.[1];
        const port = / --to-(?:ports |destination \S*:)(\d+)$/.exec(line)?.[1];
        const key = `${name}/${protocol}`;
        if (port !== undefined && !ports.has(key)) ports.set(key, Number(port));
      }
    }
  }
  return (name, protocol) => ports.get(`${name.replace(/:$/, '')}/${protocol.toLowerCase()}`);
}

const leadingChains = ['KUBE-PORTALS-CONTAINER', 'KUBE-PORTALS-HOST', 'KUBE-NODEPORT-CONTAINER', 'KUBE-NODEPORT-HOST'];
