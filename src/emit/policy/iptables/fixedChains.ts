import type { Cidr } from '../../../common/addresses/cidr.ts';
import type { Family } from '../../../common/addresses/family.ts';
import type { Rule, Word } from '../../../netfilter/iptables/ast.ts';
import {
  addressType,
  connectionState,
  from,
  inSet,
  jumpTo,
  option,
  otherMatch,
  to,
} from '../../../netfilter/iptables/print/builders.ts';
import { policyHooks, policyPrefixes } from '../../../netfilter/policyParts.ts';
import { comment, hasPassed, reject, rule, setAllowed } from './builders.ts';
import { type PolicyLayout, shortHash } from './netpolNames.ts';

export const chainNames = {
  input: policyHooks.INPUT,
  forward: policyHooks.FORWARD,
  output: policyHooks.OUTPUT,
  common: `${policyPrefixes.policy}COMMON`,
  default: `${policyPrefixes.policy}DEFAULT`,
  tail: `${policyPrefixes.policy}TAIL`,
} as const;

/** Which traffic to Services is not judged, and whether unknown Pods are cut off. */
export interface FixedChainOptions {
  readonly layout: PolicyLayout;
  /** Packets from the node are not judged, and unknown Pods may reply to it. kube-router has no such rules. */
  readonly sparesNode: boolean;
  readonly allowsEcho: boolean;
  /** `strict`: the set of what IPVS translates after the input hook; undefined: everything was translated before it. */
  readonly virtual: string | undefined;
  /** kube-router: it lets a Pod reach anything on its node with such an address or port. */
  readonly serviceCIDRs: readonly string[];
  readonly externalIPRanges: readonly string[];
  readonly loadBalancerRanges: readonly string[];
  readonly nodePorts: string;
  /** Pod ranges in which only members of the set may send; empty: unknown Pods are open. */
  readonly closedCIDRs: readonly Cidr[];
  readonly localPods: string;
}

/** Jumps from the built-in chains; kube-router keeps them in first place. */
export function hookRules(): readonly Rule[] {
  return Object.entries(policyHooks).map(([hook, chain]) => {
    const id = shortHash(`${hook}-mcomment--commentkube-router netpol-j${chain}`);
    return rule(hook, [comment(`kube-router netpol - ${id}`)], jumpTo(chain));
  });
}

/**
 * Traffic that the input hook leaves to other programs. DNAT comes before that hook, so what arrives there is for the
 * node itself and is judged as such; IPVS translates after it, and its traffic is judged in the output hook.
 */
export function unjudged(options: FixedChainOptions): readonly Rule[] {
  if (options.layout === 'kube-router') return serviceReturns(options);
  if (options.virtual === undefined) return [];
  const words = [comment('judged behind the translation of IPVS'), inSet(options.virtual, ['dst', 'dst'])];
  return [rule(chainNames.input, words, jumpTo('RETURN'))];
}

function serviceReturns(options: FixedChainOptions): readonly Rule[] {
  const chain = chainNames.input;
  const toRange = (text: string, cidr: string) => {
    const id = shortHash(`${chain}-mcomment--comment${text}-d${cidr}-jRETURN`);
    return rule(chain, [to(cidr), comment(`${text} - ${id}`)], jumpTo('RETURN'));
  };
  return [
    ...options.serviceCIDRs.map((cidr) => toRange('allow traffic to primary/secondary cluster IP range', cidr)),
    ...['tcp', 'udp', 'sctp'].map((protocol) => {
      const text = `allow LOCAL ${protocol.toUpperCase()} traffic to node ports`;
      const ports = options.nodePorts;
      const spec = `-p${protocol}-mcomment--comment${text}-maddrtype--dst-typeLOCAL-mmultiport--dports${ports}-jRETURN`;
      const words: Word[] = [
        { kind: 'protocol', protocol },
        comment(`${text} - ${shortHash(chain + spec)}`),
        addressType('dst-type'),
        otherMatch('multiport', option('dports', ports)),
      ];
      return rule(chain, words, jumpTo('RETURN'));
    }),
    ...options.externalIPRanges.map((cidr) => toRange(`allow traffic to external IP range: ${cidr}`, cidr)),
    ...options.loadBalancerRanges.map((cidr) => toRange(`allow traffic to load balancer IP range: ${cidr}`, cidr)),
  ];
}

/**
 * The end of each of the three chains. kube-router accepts what its policies admit, which bypasses the rules after its
 * own, among them kube-proxy's rejection for Services without endpoints; `strict` leaves it to them.
 */
export function decision(chain: string, layout: PolicyLayout): readonly Rule[] {
  return [
    rule(
      chain,
      [comment('rule to explicitly handle traffic for network policies ACCEPT/REJECT decision')],
      jumpTo(chainNames.tail),
    ),
    rule(
      chain,
      [comment('rule to explicitly ACCEPT traffic that comply to network policies'), hasPassed],
      jumpTo(passing(layout)),
    ),
  ];
}

function passing(layout: PolicyLayout): 'ACCEPT' | 'RETURN' {
  return layout === 'strict' ? 'RETURN' : 'ACCEPT';
}

/** Chains that do not depend on Pods and policies. */
export function fixedRules(family: Family, options: FixedChainOptions): readonly Rule[] {
  return [
    ...commonRules(family, options),
    rule(chainNames.default, [comment('rule to mark traffic matching a network policy')], setAllowed),
    ...tailRules(family, options),
  ];
}

function commonRules(family: Family, { layout, allowsEcho }: FixedChainOptions): readonly Rule[] {
  const { common } = chainNames;
  // The quotes inside the comments are kube-router's.
  const rules = [
    rule(common, [comment('"rule to drop invalid state for pod"'), connectionState(['INVALID'])], jumpTo('DROP')),
    rule(
      common,
      [comment('"rule for stateful firewall for pod"'), connectionState(['RELATED', 'ESTABLISHED'])],
      jumpTo('ACCEPT'),
    ),
  ];
  const types = family === 'ipv4' ? icmpTypes : layout === 'strict' ? strictIcmp6Types : icmp6Types;
  for (const [type, name] of types) {
    if (name.startsWith('echo') && !allowsEcho) continue;
    const match =
      family === 'ipv4'
        ? otherMatch('icmp', option('icmp-type', type))
        : otherMatch('icmp6', option('icmpv6-type', type));
    const protocol = family === 'ipv4' ? 'icmp' : 'ipv6-icmp';
    rules.push(rule(common, [{ kind: 'protocol', protocol }, comment(`allow icmp ${name}`), match], jumpTo('ACCEPT')));
  }
  return rules;
}

const icmpTypes = [
  ['8', 'echo requests'],
  ['3', 'destination unreachable messages'],
  ['11', 'time exceeded messages'],
] as const;

const icmp6Types = [
  ['128', 'echo requests'],
  ['1', 'destination unreachable messages'],
  ['3', 'time exceeded messages'],
  ['135', 'neighbor solicitation messages'],
  ['136', 'neighbor advertisement messages'],
  ['129', 'echo reply messages'],
] as const;

const listenerAndRouterTypes = [
  ['130', 'multicast listener queries'],
  ['131', 'multicast listener reports'],
  ['132', 'multicast listener done messages'],
  ['133', 'router solicitation messages'],
  ['134', 'router advertisement messages'],
  ['143', 'multicast listener reports v2'],
] as const;

/** Routers and multicast listeners too: a Pod without them loses its gateway, or its groups. */
const strictIcmp6Types = [...icmp6Types, ...listenerAndRouterTypes] as const;

const neighbourTypes = [
  ['135', 'neighbor solicitation messages'],
  ['136', 'neighbor advertisement messages'],
  ...listenerAndRouterTypes,
] as const;

/** A node reaches its own Pods, whatever policies say, and its own addresses, which may be in a Pod range. */
export function ownTraffic({ sparesNode, closedCIDRs }: FixedChainOptions): readonly Rule[] {
  if (!sparesNode) return [];
  const rules = [rule(chainNames.output, [comment('from local node'), addressType('src-type')], jumpTo('RETURN'))];
  if (closedCIDRs.length === 0) return rules;
  return [
    ...rules,
    rule(chainNames.input, [{ kind: 'inInterface', name: 'lo' }, comment('from local node')], jumpTo('RETURN')),
  ];
}

function tailRules(family: Family, options: FixedChainOptions): readonly Rule[] {
  const { layout, closedCIDRs, localPods, sparesNode } = options;
  const { tail } = chainNames;
  const accept = rule(tail, [comment('accept netpol-ok'), hasPassed], jumpTo(passing(layout)));
  if (closedCIDRs.length === 0) return [accept];
  const unprogrammed = comment('reject unprogrammed local pod (default-deny)');
  const early = comment('reject pre-netpol (default-deny)');
  // The node's own address in the range does not belong to a Pod.
  const toPod = sparesNode ? [addressType('dst-type', true)] : [];
  return [
    ...(sparesNode ? answers(family) : []),
    ...closedCIDRs.flatMap(({ text }) => [
      rule(tail, [from(text), unprogrammed, inSet(localPods, ['src'], true)], reject(family)),
      rule(tail, [to(text), unprogrammed, ...toPod, inSet(localPods, ['dst'], true)], reject(family)),
    ]),
    accept,
    ...closedCIDRs.flatMap(({ text }) => [
      rule(tail, [from(text), early], reject(family)),
      rule(tail, [to(text), early, ...toPod], reject(family)),
    ]),
  ];
}

/** For Pods that nobody knows yet: their replies to the node, and neighbor discovery. */
function answers(family: Family): readonly Rule[] {
  const { tail } = chainNames;
  const established = connectionState(['RELATED', 'ESTABLISHED']);
  const rules = [rule(tail, [comment('answers of unprogrammed local pods'), established], jumpTo('RETURN'))];
  if (family === 'ipv4') return rules;
  for (const [type, name] of neighbourTypes) {
    const words: Word[] = [
      { kind: 'protocol', protocol: 'ipv6-icmp' },
      comment(`allow icmp ${name}`),
      otherMatch('icmp6', option('icmpv6-type', type)),
    ];
    rules.push(rule(tail, words, jumpTo('RETURN')));
  }
  return rules;
}
