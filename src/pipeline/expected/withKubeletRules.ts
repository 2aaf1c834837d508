import { overlaidChains } from '../../node/chains/overlaidChains.ts';
import type { NodeRules, RuleTable, ToolRules } from '../../node/nodeRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';

/**
 * Compiled rules as a node has them, if its kubelet is of the same version: through 1.24, kube-proxy only marks packets
 * (KUBE-MARK-DROP), and the kubelet drops those that come to the node or are sent by it. What is only forwarded goes on.
 */
export function withKubeletRules(rules: NodeRules): NodeRules {
  if (!rules.iptables.some(marksToDrop)) return rules;
  return { ...rules, iptables: rules.iptables.map((tool) => (marksToDrop(tool) ? withFirewall(tool) : tool)) };
}

function marksToDrop({ tables }: ToolRules): boolean {
  return tables.get('nat')?.chains.has('KUBE-MARK-DROP') === true;
}

function withFirewall(tool: ToolRules): ToolRules {
  const filter: RuleTable = tool.tables.get('filter') ?? { name: 'filter', isWhole: true, chains: new Map() };
  const own = [
    firewall,
    ...['INPUT', 'OUTPUT'].map((name) =>
      withJump(filter.chains.get(name) ?? { ...firewall, name, policy: 'ACCEPT', text: '' }),
    ),
  ];
  const chains = overlaidChains(filter.chains, new Map(own.map((chain) => [chain.name, chain])));
  return { ...tool, tables: new Map([...tool.tables, ['filter', { ...filter, chains }]]) };
}

/** As the kubelet of 1.4 to 1.24 writes it with its default mark. */
const firewall: RuleChain = {
  name: 'KUBE-FIREWALL',
  isDeclared: true,
  text: '-A KUBE-FIREWALL -m comment --comment "kubernetes firewall for dropping marked packets" -m mark --mark 0x8000/0x8000 -j DROP',
  firstLine: 0,
  file: '',
  declaredAt: 0,
};

/** The kubelet puts its jump first. */
function withJump(chain: RuleChain): RuleChain {
  const jump = `-A ${chain.name} -j ${firewall.name}`;
  return {
    ...chain,
    text: chain.text === '' ? jump : `${jump}\n${chain.text}`,
    ...(chain.owners && { owners: [undefined, ...chain.owners] }),
  };
}
