import type { FilterPart } from '../../dialect/ipvs/ipvsDialect.ts';
import { ipvsSets } from '../../dialect/ipvs/ipvsSets.ts';
import type { Rule, Word } from '../../netfilter/iptables/ast.ts';
import { comment, connectionState, from, jumpTo, to } from '../../netfilter/iptables/print/builders.ts';
import { inCommentedSet, inSet, type RuleContext, whileUsed } from './setBuilders.ts';

/** The filter rules of IPVS mode in the order of the version. */
export function* filterRules(context: RuleContext): Iterable<Rule> {
  for (const part of context.dialect.filterParts) yield* parts[part](context);
}

const ranges = 'KUBE-SOURCE-RANGES-FIREWALL';
const access = 'KUBE-IPVS-FILTER';

const parts: Readonly<Record<FilterPart, (context: RuleContext) => Iterable<Rule>>> = {
  *firewall(context) {
    yield* whileUsed(context, 'loadBalancerFirewall', 'dst,dst', 'KUBE-PROXY-FIREWALL', ranges);
    yield* whileUsed(context, 'loadBalancerSourceCIDR', 'dst,dst,src', ranges, 'RETURN');
    yield* whileUsed(context, 'loadBalancerSourceIP', 'dst,dst,src', ranges, 'RETURN');
    yield { chain: ranges, words: [], target: jumpTo('DROP') };
  },
  *ownTraffic({ state }) {
    for (const { address, protocol, port } of state.deniedAddresses()) {
      // The node's own packets never pass INPUT, where the firewall is; IPVS has chosen their server already here.
      yield {
        chain: 'KUBE-IPVS-OUT-FILTER',
        words: [
          from(address),
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
  },
  *forward(context) {
    const { mark } = context.node;
    yield accept('KUBE-FORWARD', [comment('kubernetes forwarding rules'), { kind: 'mark', value: mark, mask: mark }]);
    for (const words of conntrackWords(context)) yield accept('KUBE-FORWARD', words);
  },
  *healthCheck(context) {
    yield accept('KUBE-NODE-PORT', inCommentedSet('healthCheckNodePort', 'dst', context));
  },
  *accessFilter(context) {
    for (const key of context.dialect.passesAccessFilter) {
      const flags = ipvsSets[key].type === 'bitmap:port' ? 'dst' : 'dst,dst';
      yield { chain: access, words: [inSet(key, flags, context)], target: jumpTo('RETURN') };
    }
    yield {
      chain: access,
      words: [connectionState(['NEW']), inSet('ipvsIPs', 'dst', context)],
      target: { kind: 'reject' },
    };
  },
};

function conntrackWords({ node, dialect }: RuleContext): readonly (readonly Word[])[] {
  const known = connectionState(['RELATED', 'ESTABLISHED']);
  const source = comment('kubernetes forwarding conntrack pod source rule');
  const destination = comment('kubernetes forwarding conntrack pod destination rule');
  switch (dialect.forward) {
    case 'cidrPair': {
      if (node.localDetector?.kind !== 'cidr') return [];
      const { cidr } = node.localDetector;
      return [
        [from(cidr), source, known],
        [destination, to(cidr), known],
      ];
    }
    case 'pair':
      return [
        [source, known],
        [destination, known],
      ];
    case 'one':
      return [[comment('kubernetes forwarding conntrack rule'), known]];
  }
}

function accept(chain: string, words: readonly Word[]): Rule {
  return { chain, words, target: jumpTo('ACCEPT') };
}
