import type { IpvsDialect } from '../../dialect/ipvs/ipvsDialect.ts';
import type { Rule, Word } from '../../netfilter/iptables/ast.ts';
import { comment, connectionState, jumpTo } from '../../netfilter/iptables/builders.ts';
import type { NodePlan } from '../../plan/plan.ts';
import type { NodeState } from './nodeState.ts';
import type { SetKey } from './setTable.ts';
import { inCommentedSet, inSet } from './words.ts';

/** The filter rules of IPVS mode in kube-proxy's order. */
export function* filterRules(node: NodePlan, dialect: IpvsDialect, state: NodeState): Iterable<Rule> {
  const { family, mark } = node;
  const ranges = 'KUBE-SOURCE-RANGES-FIREWALL';
  yield* whileUsed('KUBE-PROXY-FIREWALL', 'loadBalancerFirewall', 'dst,dst', ranges);
  yield* whileUsed(ranges, 'loadBalancerSourceCIDR', 'dst,dst,src', 'RETURN');
  yield* whileUsed(ranges, 'loadBalancerSourceIP', 'dst,dst,src', 'RETURN');
  yield { chain: ranges, words: [], target: jumpTo('DROP') };
  for (const { address, protocol, port } of dialect.hasOutputFilter ? state.deniedAddresses() : []) {
    // The node's own packets never pass INPUT, where the firewall is; IPVS has chosen their server already here.
    yield {
      chain: 'KUBE-IPVS-OUT-FILTER',
      words: [
        { kind: 'source', address },
        {
          kind: 'ipvs',
          options: [
            { name: 'vaddr', values: [address] },
            { name: 'vproto', values: [protocol] },
            { name: 'vport', values: [String(port)] },
          ],
        },
      ],
      target: jumpTo('DROP'),
    };
  }
  yield accept('KUBE-FORWARD', [comment('kubernetes forwarding rules'), { kind: 'mark', value: mark, mask: mark }]);
  yield accept('KUBE-FORWARD', [
    comment('kubernetes forwarding conntrack rule'),
    connectionState(['RELATED', 'ESTABLISHED']),
  ]);
  yield accept('KUBE-NODE-PORT', inCommentedSet('healthCheckNodePort', 'dst', family));
  // Since 1.26: without these, whatever listens on the node is open on every address of kube-ipvs0 (kubernetes#72236).
  for (const key of ['loadBalancer', 'clusterIP', 'externalIP', 'externalIPLocal'] as const) {
    yield { chain: 'KUBE-IPVS-FILTER', words: [inSet(key, 'dst,dst', family)], target: jumpTo('RETURN') };
  }
  yield {
    chain: 'KUBE-IPVS-FILTER',
    words: [inSet('healthCheckNodePort', 'dst', family)],
    target: jumpTo('RETURN'),
  };
  yield {
    chain: 'KUBE-IPVS-FILTER',
    words: [connectionState(['NEW']), inSet('ipvsIPs', 'dst', family)],
    target: { kind: 'reject' },
  };

  function* whileUsed(chain: string, key: SetKey, flags: string, target: string): Iterable<Rule> {
    if (!state.isUsed(key)) return;
    yield { chain, words: inCommentedSet(key, flags, family), target: jumpTo(target) };
  }
}

function accept(chain: string, words: readonly Word[]): Rule {
  return { chain, words, target: jumpTo('ACCEPT') };
}
