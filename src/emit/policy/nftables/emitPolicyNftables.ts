import { addressNumber } from '../../../common/addresses/addressNumber.ts';
import { cidrContains, parseCidr } from '../../../common/addresses/cidr.ts';
import { type Family, familyNames } from '../../../common/addresses/family.ts';
import { ascending } from '../../../common/ascending.ts';
import type { Report } from '../../../diagnostics/diagnostic.ts';
import type { Direction } from '../../../model/netPolicy.ts';
import type { BaseChain, NftChain, NftRule, NftSet, NftTable, Statement } from '../../../netfilter/nft/ast.ts';
import { type PolicyNftPart, policyTableName } from '../../../netfilter/policyParts.ts';
import type { NodePolicies } from '../../../policy/nodePolicies.ts';
import { contentName } from '../../../policy/rules/contentName.ts';
import { rangesOfBlocks } from '../../../policy/rules/rangesOfBlocks.ts';
import type { PolicyOptions } from '../policyOptions.ts';
import { concat, type FilterWords, filterWords, inSet, lookup, verdict } from './filterWords.ts';
import { hookChains } from './hookChains.ts';
import { intervalSet } from './intervalSet.ts';
import { type PolicyChains, policyChains } from './policyChains.ts';

/**
 * The policies of a node as one table of its own: no marks, no NAT, nothing outside it. New connections cost two map
 * lookups by pod address and a few set lookups, however many pods, peers and policies the cluster has.
 */
export function emitPolicyNftables(
  node: NodePolicies,
  family: Family,
  options: PolicyOptions,
  report: Report,
): NftTable {
  const words = filterWords(family);
  const chains = policyChains(node, family, denialRules(options));
  const unknown = unknownPods(node, words, options, report);
  const senders = podMap('egress', chains, words);
  const receivers = podMap('ingress', chains, words);
  const pairs = options.hairpin === 'policy' ? undefined : selfSet(isolatedAddresses(chains, family), words);
  const common = commonRules(words, options);
  const self: readonly NftRule[] =
    pairs === undefined ? [] : [rule([inSet(concat(words.source, words.destination), pairs.name), verdict('accept')])];
  const egress = rule([lookup(words.source, senders.name)]);
  const ingress = rule([lookup(words.destination, receivers.name)]);
  const isPostrouting = options.hook === 'postrouting';
  const names = hookChains[isPostrouting ? 'postrouting' : 'forward'];
  const base: readonly NftChain[] = [
    {
      name: names.through,
      // Behind DNAT and before SNAT either way: the real receiver, the real sender.
      base: hook(isPostrouting ? 'postrouting' : 'forward', isPostrouting ? sourceNat - 5 : filter),
      rules: [...common, ...(isPostrouting ? [fromThisNode] : []), ...unknown.forward, ...self, egress, ingress],
    },
    {
      name: names.input,
      // IPVS takes its packets just before this priority; at `filter` they would still show the Service's address.
      base: hook('input', isPostrouting ? sourceNat + 1 : filter),
      rules: [...common, ...unknown.input, egress],
    },
  ];
  return {
    family: words.tableFamily,
    name: policyTableName,
    comment: 'NetworkPolicy, compiled by k8snet',
    sets: [senders, receivers, ...(pairs === undefined ? [] : [pairs]), ...unknown.sets, ...chains.sets],
    // In the order in which `replaceTable` makes them.
    chains: [...base, ...chains.chains],
  };
}

/** From the address of a pod to the chain that judges it. */
function podMap(direction: Direction, { verdicts }: PolicyChains, { addressType }: FilterWords): NftSet {
  const elements = verdicts[direction];
  const targets = elements.map(({ key, verdict }) => [...key, verdict?.kind === 'jump' ? verdict.chain : '']);
  const name = partName(`${direction}-pods`, targets);
  return { kind: 'map', name, type: [addressType], valueType: ['verdict'], flags: [], elements };
}

/** Each address with itself: nft cannot compare the source with the destination. */
function selfSet(addresses: readonly string[], { addressType }: FilterWords): NftSet {
  const elements = addresses.map((ip) => ({ key: [ip, ip] }));
  return { kind: 'set', name: partName('self', [addresses]), type: [addressType, addressType], flags: [], elements };
}

/** Maps and sets that every table has say what they hold too: `replaceTable` needs that. */
function partName(part: PolicyNftPart, content: readonly (readonly string[])[]): string {
  return contentName(part, content.map((words) => words.join(' ')).join('\n'));
}

const filter = 0;
const sourceNat = 100;

/** What a node sends reaches its own pods whatever policies say. In the forward hook nothing of that is seen. */
const fromThisNode: NftRule = rule([
  {
    kind: 'match',
    left: { kind: 'fib', flags: ['saddr'], result: 'type' },
    operator: '==',
    right: { kind: 'value', key: ['local'] },
  },
  verdict('accept'),
]);

function hook(name: string, priority: number): BaseChain {
  return { type: 'filter', hook: name, priority, policy: 'accept' };
}

function rule(statements: readonly Statement[]): NftRule {
  return { statements };
}

/** Policies are about connections: only the first packet is judged. */
function commonRules(words: FilterWords, options: PolicyOptions): readonly NftRule[] {
  const established: Statement = {
    kind: 'match',
    left: { kind: 'ct', key: 'state' },
    operator: '==',
    right: { kind: 'list', values: ['established', 'related'] },
  };
  const rules = [rule([established, verdict('accept')])];
  if (words.family === 'ipv6') rules.push(icmpRule('icmpv6', neighbourTypes));
  if (options.icmp === 'allow') {
    rules.push(icmpRule(words.family === 'ipv6' ? 'icmpv6' : 'icmp', ['echo-request']));
  }
  return rules;
}

/** Without these an isolated IPv6 pod loses its gateway, and multicast its listeners. In the order in which nft lists them. */
const neighbourTypes = [
  'mld-listener-query',
  'mld-listener-report',
  'mld-listener-done',
  'nd-router-solicit',
  'nd-router-advert',
  'nd-neighbor-solicit',
  'nd-neighbor-advert',
  'mld2-listener-report',
];

function icmpRule(protocol: 'icmp' | 'icmpv6', types: readonly string[]): NftRule {
  const [only] = types;
  return rule([
    {
      kind: 'match',
      left: { kind: 'payload', protocol, field: 'type' },
      operator: '==',
      right:
        only !== undefined && types.length === 1
          ? { kind: 'value', key: [only] }
          : { kind: 'anonymousSet', elements: types.map((type) => [type]) },
    },
    verdict('accept'),
  ]);
}

function denialRules({ deny, hook: place, logGroup }: PolicyOptions): readonly NftRule[] {
  const rules: NftRule[] = [];
  if (logGroup !== undefined) {
    rules.push(
      rule([
        { kind: 'limit', isOver: false, rate: 10, per: 'minute', burst: 10, burstUnit: 'packets' },
        { kind: 'log', prefix: 'k8snet-netpol ', group: logGroup },
      ]),
    );
  }
  const canReject = place !== 'postrouting';
  const end: Statement = deny === 'reject' && canReject ? { kind: 'reject' } : verdict('drop');
  return [...rules, rule([{ kind: 'counter' }, end])];
}

function isolatedAddresses({ verdicts }: PolicyChains, family: Family): readonly string[] {
  const ips = new Set([...verdicts.egress, ...verdicts.ingress].map(({ key }) => key[0] ?? ''));
  const numbered = [...ips].map((ip) => ({ ip, address: addressNumber(ip, family) ?? 0n }));
  return numbered.sort((a, b) => ascending(a.address, b.address)).map(({ ip }) => ip);
}

interface UnknownPods {
  readonly sets: readonly NftSet[];
  readonly forward: readonly NftRule[];
  readonly input: readonly NftRule[];
}

/** Closes the time between a pod's start and the rules that know it. */
function unknownPods(node: NodePolicies, words: FilterWords, options: PolicyOptions, report: Report): UnknownPods {
  if (options.unknownPods !== 'deny') return { sets: [], forward: [], input: [] };
  const cidrs = (options.podCIDRs ?? nodeCIDRs(node, options.node)).filter(({ family }) => family === words.family);
  if (cidrs.length === 0) {
    report({
      code: 'policy-pod-cidr-unknown',
      severity: 'warning',
      message: `no ${familyNames[words.family]} pod range of the node is known: unknown pods stay open`,
      at: [],
      hint: 'give it with --pod-cidr, or the Node object with spec.podCIDRs',
    });
    return { sets: [], forward: [], input: [] };
  }
  const ranges = rangesOfBlocks(
    cidrs.map(({ text }) => ({ cidr: text })),
    words.family,
  );
  const known = [...node.localAddresses(words.family).keys()]
    .filter((ip) => cidrs.some((cidr) => cidrContains(cidr, ip)))
    .map((ip) => ({ ip, address: addressNumber(ip, words.family) ?? 0n }))
    .sort((a, b) => ascending(a.address, b.address));
  const local: NftSet = {
    kind: 'set',
    name: partName(
      'local-pods',
      known.map(({ ip }) => [ip]),
    ),
    type: [words.addressType],
    flags: [],
    elements: known.map(({ ip }) => ({ key: [ip] })),
  };
  const within = partName('pod-ranges', [cidrs.map(({ text }) => text)]);
  const closed = (side: FilterWords['source'], ...conditions: readonly Statement[]) =>
    rule([...conditions, inSet(side, within), inSet(side, local.name, '!='), { kind: 'counter' }, verdict('drop')]);
  return {
    sets: [local, intervalSet(within, words.addressType, ranges, words.family)],
    forward: [closed(words.source), closed(words.destination)],
    // The node has an address in the range too, that of its bridge, and talks to itself with it.
    input: [closed(words.source, notFromItself)],
  };
}

const notFromItself: Statement = {
  kind: 'match',
  left: { kind: 'meta', key: 'iifname' },
  operator: '!=',
  right: { kind: 'value', key: ['lo'] },
};

function nodeCIDRs({ model }: NodePolicies, name: string | undefined) {
  const nodes = name === undefined ? model.nodes : model.nodes.filter((node) => node.name === name);
  return nodes.flatMap(({ podCIDRs }) => podCIDRs.map(parseCidr)).filter((cidr) => cidr !== undefined);
}
