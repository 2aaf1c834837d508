import { loopbackRange } from '../../common/addresses/wholeRange.ts';
import type { NatPart } from '../../dialect/ipvs/ipvsDialect.ts';
import type { SetKey } from '../../dialect/ipvs/ipvsSets.ts';
import type { Rule, Word } from '../../netfilter/iptables/ast.ts';
import { addressType, comment, from, isNotFromBridge, jumpTo } from '../../netfilter/iptables/print/builders.ts';
import { detectorMatch } from '../detectorMatch.ts';
import { inCommentedSet, inSet, type RuleContext, whileUsed } from './setBuilders.ts';

/**
 * The nat rules of IPVS mode in the order of the version. The number of Services does not matter: rules look into sets,
 * and most are left out while their set is empty.
 */
export function* natRules(context: RuleContext): Iterable<Rule> {
  for (const part of context.dialect.natParts) yield* parts[part](context);
}

const parts: Readonly<Record<NatPart, (context: RuleContext) => Iterable<Rule>>> = {
  *skipLoopback({ node }) {
    const loopback = loopbackRange(node.family);
    yield { chain: 'KUBE-SERVICES', words: [from(loopback)], target: jumpTo('RETURN') };
  },
  masquerade: masqueradeRules,
  *hairpin(context) {
    if (!context.state.isUsed('loopBack')) return;
    const words = inCommentedSet('loopBack', 'dst,dst,src', context);
    yield { chain: 'KUBE-POSTROUTING', words, target: { kind: 'masquerade' } };
  },
  loadBalancer: (context) => whileUsed(context, 'loadBalancer', 'dst,dst', 'KUBE-SERVICES', 'KUBE-LOAD-BALANCER'),
  *sourceRanges(context) {
    yield* whileUsed(context, 'loadBalancerFirewall', 'dst,dst', 'KUBE-LOAD-BALANCER', 'KUBE-FIREWALL');
    yield* whileUsed(context, 'loadBalancerSourceCIDR', 'dst,dst,src', 'KUBE-FIREWALL', 'RETURN');
    yield* whileUsed(context, 'loadBalancerSourceIP', 'dst,dst,src', 'KUBE-FIREWALL', 'RETURN');
  },
  loadBalancerLocal: (context) => whileUsed(context, 'loadBalancerLocal', 'dst,dst', 'KUBE-LOAD-BALANCER', 'RETURN'),
  *nodePorts(context) {
    yield* localFirst(context, 'tcp', 'nodePortLocalTCP', 'nodePortTCP', 'dst');
    yield* localFirst(context, 'udp', 'nodePortLocalUDP', 'nodePortUDP', 'dst');
    yield* sctpNodePorts(context);
  },
  clusterIP: clusterIPRules,
  *externalIPs(context) {
    // Policy Local keeps the client's address, so those are not marked.
    yield* whileUsed(context, 'externalIP', 'dst,dst', 'KUBE-SERVICES', 'KUBE-MARK-MASQ');
    yield* acceptExternal(context, 'externalIP');
    yield* acceptExternal(context, 'externalIPLocal');
  },
  *toNodePorts() {
    yield { chain: 'KUBE-SERVICES', words: [addressType('dst-type')], target: jumpTo('KUBE-NODE-PORT') };
  },
  *markLoadBalancer() {
    yield { chain: 'KUBE-LOAD-BALANCER', words: [], target: jumpTo('KUBE-MARK-MASQ') };
  },
  *dropRefused() {
    yield { chain: 'KUBE-FIREWALL', words: [], target: jumpTo('KUBE-MARK-DROP') };
  },
  *accept(context) {
    for (const key of ['clusterIP', 'loadBalancer'] as const) {
      if (!context.state.isUsed(key)) continue;
      yield { chain: 'KUBE-SERVICES', words: [inSet(key, 'dst,dst', context)], target: jumpTo('ACCEPT') };
    }
  },
};

function* masqueradeRules({ node: { mark }, dialect }: RuleContext): Iterable<Rule> {
  const chain = 'KUBE-POSTROUTING';
  const snat = comment('kubernetes service traffic requiring SNAT');
  if (dialect.postrouting === 'three') {
    yield { chain, words: [{ kind: 'mark', negated: true, value: mark, mask: mark }], target: jumpTo('RETURN') };
    // The mark is cleared: a packet that passes again (a tunnel) must not be masqueraded twice (kubernetes#92035).
    yield { chain, words: [], target: { kind: 'mark', operation: 'xor', value: mark } };
    yield { chain, words: [snat], target: { kind: 'masquerade', isRandomFully: true } };
    yield { chain: 'KUBE-MARK-MASQ', words: [], target: { kind: 'mark', operation: 'or', value: mark } };
    return;
  }
  yield {
    chain,
    words: [snat, { kind: 'mark', value: mark, mask: mark }],
    target:
      dialect.postrouting === 'singleRandomFully'
        ? { kind: 'masquerade', isRandomFully: true }
        : { kind: 'masquerade' },
  };
  yield {
    chain: 'KUBE-MARK-MASQ',
    words: [],
    target: { kind: 'mark', operation: 'set-xmark', value: mark, mask: mark },
  };
}

function* localFirst(
  context: RuleContext,
  protocol: string,
  local: SetKey,
  every: SetKey,
  flags: string,
): Iterable<Rule> {
  const before: readonly Word[] = [{ kind: 'protocol', protocol }];
  yield* whileUsed(context, local, flags, 'KUBE-NODE-PORT', 'RETURN', before);
  yield* whileUsed(context, every, flags, 'KUBE-NODE-PORT', 'KUBE-MARK-MASQ', before);
}

function* sctpNodePorts(context: RuleContext): Iterable<Rule> {
  const sctp: readonly Word[] = [{ kind: 'protocol', protocol: 'sctp' }];
  switch (context.dialect.sctpNodePorts) {
    case 'bitmap':
      yield* whileUsed(context, 'nodePortSCTP', 'dst', 'KUBE-SERVICES', 'KUBE-NODE-PORT', sctp);
      yield* whileUsed(context, 'nodePortLocalSCTP', 'dst', 'KUBE-NODE-PORT', 'RETURN', sctp);
      return;
    case 'generalFirst':
      yield* whileUsed(context, 'nodePortSCTPHash', 'dst,dst', 'KUBE-NODE-PORT', 'KUBE-MARK-MASQ', sctp);
      yield* whileUsed(context, 'nodePortLocalSCTPHash', 'dst,dst', 'KUBE-NODE-PORT', 'RETURN', sctp);
      return;
    case 'localFirst':
      yield* localFirst(context, 'sctp', 'nodePortLocalSCTPHash', 'nodePortSCTPHash', 'dst,dst');
  }
}

/** Traffic to cluster IPs from outside the cluster is masqueraded, or all of it, or, blindly, what comes from such an IP. */
function* clusterIPRules(context: RuleContext): Iterable<Rule> {
  const { clusterMasquerade, localDetector } = context.node;
  const { masquerade } = clusterMasquerade;
  const isBlind = localDetector === undefined && masquerade !== 'always';
  if (masquerade === 'never' && !isBlind) return;
  const flags = isBlind ? 'src,dst' : 'dst,dst';
  for (const rule of whileUsed(context, 'clusterIP', flags, 'KUBE-SERVICES', 'KUBE-MARK-MASQ')) {
    const isNarrowed = masquerade === 'offCluster' && localDetector !== undefined;
    yield isNarrowed ? { ...rule, words: [...rule.words, detectorMatch(localDetector, true)] } : rule;
  }
}

function* acceptExternal(context: RuleContext, key: 'externalIP' | 'externalIPLocal'): Iterable<Rule> {
  if (!context.state.isUsed(key)) return;
  const set = inCommentedSet(key, 'dst,dst', context);
  const rule = (...words: readonly Word[]): Rule => ({
    chain: 'KUBE-SERVICES',
    words: [...set, ...words],
    target: jumpTo('ACCEPT'),
  });
  yield rule(isNotFromBridge, addressType('src-type', true));
  yield rule(addressType('dst-type'));
}
