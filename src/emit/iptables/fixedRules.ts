import { isLoopbackIp } from '../../common/addresses/ip.ts';
import { loopbackRange } from '../../common/addresses/wholeRange.ts';
import type { IptablesDialect } from '../../dialect/iptables/iptablesDialect.ts';
import type { Match, Rule, Word } from '../../netfilter/iptables/ast.ts';
import { addressType, comment, connectionState, jumpTo } from '../../netfilter/iptables/print/builders.ts';
import type { NodePlan } from '../../plan/plan.ts';
import { inlineMark } from './builders.ts';
import type { EmitOptions } from './emitOptions.ts';
import type { RuleSink } from './ruleSink.ts';

const snatComment = 'kubernetes service traffic requiring SNAT';

/** Chain lines of the fixed chains, and the rules that come before those of any service. */
export function prologue(node: NodePlan, dialect: IptablesDialect, sink: RuleSink): void {
  for (const chain of dialect.filterChains) sink.chain('filter', chain);
  for (const chain of dialect.natChains) sink.chain('nat', chain);
  if (dialect.guardsLocalnet && node.usesLocalhostNodePorts) {
    sink.chain('filter', 'KUBE-FIREWALL');
    sink.rule('filter', localnetGuard);
  }
  for (const rule of postroutingRules(node, dialect)) sink.rule('nat', rule);
}

/** The rules that come after those of all services. */
export function epilogue(node: NodePlan, dialect: IptablesDialect, options: EmitOptions, sink: RuleSink): void {
  for (const words of nodePortWords(node)) {
    sink.rule('nat', { chain: 'KUBE-SERVICES', words, target: jumpTo('KUBE-NODEPORTS') });
  }
  if (dialect.forward === 'none') return;
  if (node.dropsInvalid) {
    // An INVALID packet would reach the pod un-NATed and be answered with a reset (kubernetes#74839).
    const counts: Match[] =
      options.hasNfacct && dialect.countsInvalid ? [{ kind: 'nfacct', name: 'ct_state_invalid_dropped_pkts' }] : [];
    sink.rule('filter', {
      chain: 'KUBE-FORWARD',
      words: [connectionState(['INVALID']), ...counts],
      target: jumpTo('DROP'),
    });
  }
  sink.rule('filter', {
    chain: 'KUBE-FORWARD',
    words: [comment('kubernetes forwarding rules'), markMatch(node)],
    target: jumpTo('ACCEPT'),
  });
  for (const words of conntrackWords(node, dialect)) {
    sink.rule('filter', { chain: 'KUBE-FORWARD', words, target: jumpTo('ACCEPT') });
  }
}

/** 1.1 masquerades in POSTROUTING itself, by a rule that is appended once. */
export const inlinePostrouting: Rule = {
  chain: 'POSTROUTING',
  words: [comment(snatComment), { kind: 'mark', value: inlineMark, mask: 0xffffffff }],
  target: { kind: 'masquerade' },
};

/** route_localnet opens 127.0.0.0/8 to the network; this closes it again except for node ports (CVE-2020-8558). */
const localnetGuard: Rule = {
  chain: 'KUBE-FIREWALL',
  words: [
    comment('block incoming localnet connections'),
    { kind: 'destination', address: '127.0.0.0/8' },
    { kind: 'source', negated: true, address: '127.0.0.0/8' },
    connectionState(['RELATED', 'ESTABLISHED', 'DNAT'], true),
  ],
  target: jumpTo('DROP'),
};

function postroutingRules(node: NodePlan, dialect: IptablesDialect): Rule[] {
  if (dialect.postrouting === 'inline') return [];
  const chain = 'KUBE-POSTROUTING';
  const { mark } = node;
  const marks: Rule = {
    chain: 'KUBE-MARK-MASQ',
    words: [],
    target:
      dialect.masqueradeMark === 'or-mark'
        ? { kind: 'mark', operation: 'or', value: mark }
        : { kind: 'mark', operation: 'set-xmark', value: mark, mask: mark },
  };
  if (dialect.postrouting === 'three') {
    // The mark is cleared: a packet that passes again (a tunnel) must not be masqueraded twice (kubernetes#92035).
    return [
      { chain, words: [{ kind: 'mark', negated: true, value: mark, mask: mark }], target: jumpTo('RETURN') },
      { chain, words: [], target: { kind: 'mark', operation: 'xor', value: mark } },
      { chain, words: [comment(snatComment)], target: { kind: 'masquerade', isRandomFully: true } },
      marks,
    ];
  }
  return [
    {
      chain,
      words: [comment(snatComment), markMatch(node)],
      target:
        dialect.postrouting === 'singleRandomFully'
          ? { kind: 'masquerade', isRandomFully: true }
          : { kind: 'masquerade' },
    },
    marks,
  ];
}

function markMatch(node: NodePlan): Match {
  return { kind: 'mark', value: node.mark, mask: node.mark };
}

/** The words of the rules that lead to KUBE-NODEPORTS; they must come last in KUBE-SERVICES. */
function nodePortWords(node: NodePlan): Word[][] {
  const last = comment('kubernetes service nodeports; NOTE: this must be the last rule in this chain');
  if (node.nodePorts.kind === 'anyLocal') {
    const loopback = loopbackRange(node.family);
    const words: Word[] = [last, addressType('dst-type')];
    if (node.excludesLoopbackNodePorts) words.push({ kind: 'destination', negated: true, address: loopback });
    return [words];
  }
  return node.nodePorts.addresses
    .filter((address) => !(node.excludesLoopbackNodePorts && isLoopbackIp(address)))
    .map((address) => [last, { kind: 'destination', address }]);
}

function conntrackWords(node: NodePlan, dialect: IptablesDialect): Word[][] {
  const known = connectionState(['RELATED', 'ESTABLISHED']);
  const source = 'kubernetes forwarding conntrack pod source rule';
  const destination = 'kubernetes forwarding conntrack pod destination rule';
  switch (dialect.forward) {
    case 'none':
      return [];
    case 'cidrPair': {
      if (node.localDetector?.kind !== 'cidr') return [];
      const address = node.localDetector.cidr;
      return [
        [{ kind: 'source', address }, comment(source), known],
        [comment(destination), { kind: 'destination', address }, known],
      ];
    }
    case 'pair':
      return [
        [comment(source), known],
        [comment(destination), known],
      ];
    case 'one':
      return [[comment('kubernetes forwarding conntrack rule'), known]];
  }
}
