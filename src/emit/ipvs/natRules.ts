import type { Rule, Word } from '../../netfilter/iptables/ast.ts';
import { addressType, comment, isNotFromBridge, jumpTo } from '../../netfilter/iptables/builders.ts';
import type { NodePlan } from '../../plan/plan.ts';
import { detectorMatch } from '../detectorMatch.ts';
import type { NodeState } from './nodeState.ts';
import type { SetKey } from './setTable.ts';
import { inCommentedSet, inSet } from './words.ts';

/**
 * The nat rules of IPVS mode in kube-proxy's order. The number of Services does not matter: rules look into sets, and
 * most are left out while their set is empty.
 */
export function* natRules(node: NodePlan, state: NodeState): Iterable<Rule> {
  const { family, mark } = node;
  const loopback = family === 'ipv4' ? '127.0.0.0/8' : '::1/128';
  yield {
    chain: 'KUBE-SERVICES',
    words: [{ kind: 'source', address: loopback }],
    target: jumpTo('RETURN'),
  };
  if (state.isUsed('loopBack')) {
    yield {
      chain: 'KUBE-POSTROUTING',
      words: inCommentedSet('loopBack', 'dst,dst,src', family),
      target: { kind: 'masquerade' },
    };
  }
  yield* whileUsed('KUBE-SERVICES', [], 'loadBalancer', 'dst,dst', 'KUBE-LOAD-BALANCER');
  yield* whileUsed('KUBE-LOAD-BALANCER', [], 'loadBalancerLocal', 'dst,dst', 'RETURN');
  yield* nodePort('tcp', 'nodePortLocalTCP', 'nodePortTCP', 'dst');
  yield* nodePort('udp', 'nodePortLocalUDP', 'nodePortUDP', 'dst');
  yield* nodePort('sctp', 'nodePortLocalSCTP', 'nodePortSCTP', 'dst,dst');
  yield* clusterIP(node, state);
  yield* externalIP('externalIP');
  yield* externalIP('externalIPLocal');
  yield { chain: 'KUBE-SERVICES', words: [addressType('dst-type')], target: jumpTo('KUBE-NODE-PORT') };
  yield { chain: 'KUBE-LOAD-BALANCER', words: [], target: jumpTo('KUBE-MARK-MASQ') };
  for (const key of ['clusterIP', 'loadBalancer'] as const) {
    if (!state.isUsed(key)) continue;
    yield { chain: 'KUBE-SERVICES', words: [inSet(key, 'dst,dst', family)], target: jumpTo('ACCEPT') };
  }
  yield {
    chain: 'KUBE-POSTROUTING',
    words: [{ kind: 'mark', negated: true, value: mark, mask: mark }],
    target: jumpTo('RETURN'),
  };
  // The mark is taken off, so that a packet that comes by again (a tunnel) is not masqueraded twice (kubernetes#92035).
  yield { chain: 'KUBE-POSTROUTING', words: [], target: { kind: 'mark', operation: 'xor', value: mark } };
  yield {
    chain: 'KUBE-POSTROUTING',
    words: [comment('kubernetes service traffic requiring SNAT')],
    target: { kind: 'masquerade', isRandomFully: true },
  };
  yield { chain: 'KUBE-MARK-MASQ', words: [], target: { kind: 'mark', operation: 'or', value: mark } };

  function* whileUsed(
    chain: string,
    before: readonly Word[],
    key: SetKey,
    flags: string,
    target: string,
  ): Iterable<Rule> {
    if (!state.isUsed(key)) return;
    yield { chain, words: [...before, ...inCommentedSet(key, flags, family)], target: jumpTo(target) };
  }

  function* nodePort(protocol: string, local: SetKey, every: SetKey, flags: string): Iterable<Rule> {
    const before: readonly Word[] = [{ kind: 'protocol', protocol }];
    yield* whileUsed('KUBE-NODE-PORT', before, local, flags, 'RETURN');
    yield* whileUsed('KUBE-NODE-PORT', before, every, flags, 'KUBE-MARK-MASQ');
  }

  /** Policy Local keeps the client's address, so those are not marked. */
  function* externalIP(key: 'externalIP' | 'externalIPLocal'): Iterable<Rule> {
    if (!state.isUsed(key)) return;
    const set = inCommentedSet(key, 'dst,dst', family);
    const rule = (words: readonly Word[], target: string): Rule => ({
      chain: 'KUBE-SERVICES',
      words: [...set, ...words],
      target: jumpTo(target),
    });
    if (key === 'externalIP') yield rule([], 'KUBE-MARK-MASQ');
    yield rule([isNotFromBridge, addressType('src-type', true)], 'ACCEPT');
    yield rule([addressType('dst-type')], 'ACCEPT');
  }
}

/** Traffic to cluster IPs from outside the cluster is masqueraded, or all of it, or, blindly, what comes from such an IP. */
function* clusterIP(node: NodePlan, state: NodeState): Iterable<Rule> {
  if (!state.isUsed('clusterIP')) return;
  const { masquerade } = node.clusterMasquerade;
  const words = [...inCommentedSet('clusterIP', masquerade === 'never' ? 'src,dst' : 'dst,dst', node.family)];
  if (masquerade === 'offCluster' && node.localDetector !== undefined)
    words.push(detectorMatch(node.localDetector, true));
  yield { chain: 'KUBE-SERVICES', words, target: jumpTo('KUBE-MARK-MASQ') };
}
