import type { Family } from '../common/addresses/family.ts';
import type { Target } from '../netfilter/iptables/ast.ts';
import { ruleHead } from '../netfilter/iptables/ruleHead.ts';
import { commentOf } from '../netfilter/iptables/ruleParts.ts';
import type { NodeRules } from './nodeRules.ts';
import { pickRules } from './pickRules.ts';

/**
 * The port at which kube-proxy in userspace mode listened for each Service port when the rules were dumped, by name and
 * protocol. It chooses these ports at random, so only the dump can show them.
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
      for (const { rule } of pickRules(chains?.get(chain), family, {})) {
        const port = portOf(rule.target);
        // Whether an unnamed port has a colon depends on the version.
        const name = commentOf(rule)?.split(' ')[0]?.replace(/:$/, '');
        const key = `${name}/${ruleHead(rule).protocol}`;
        if (port !== undefined && !ports.has(key)) ports.set(key, port);
      }
    }
  }
  return (name, protocol) => ports.get(`${name.replace(/:$/, '')}/${protocol.toLowerCase()}`);
}

const leadingChains = ['KUBE-PORTALS-CONTAINER', 'KUBE-PORTALS-HOST', 'KUBE-NODEPORT-CONTAINER', 'KUBE-NODEPORT-HOST'];

/** The port of REDIRECT or DNAT. */
function portOf(target: Target | undefined): number | undefined {
  if (target?.kind === 'dnat') return toNumber(/:(\d+)$/.exec(target.to)?.[1]);
  if (target?.kind !== 'other' || target.name !== 'REDIRECT') return undefined;
  return toNumber(target.options.find(({ name }) => name === 'to-ports')?.values[0]);
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
