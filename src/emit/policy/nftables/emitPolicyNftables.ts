import { ascending } from '../../../common/ascending.ts';
import { cidrContains, parseCidr } from '../../../common/cidr.ts';
import type { Family } from '../../../common/family.ts';
import type { Report } from '../../../diagnostics/diagnostic.ts';
import type { Direction } from '../../../model/netPolicy.ts';
import type { BaseChain, NftChain, NftRule, NftSet, NftTable, Statement } from '../../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../../netfilter/nft/command.ts';
import { policyTableName } from '../../../netfilter/policyParts.ts';
import { addressNumber } from '../../../policy/addressRanges.ts';
import type { NodePolicies } from '../../../policy/nodePolicies.ts';
import { rangesOfBlocks } from '../../../policy/rangeList.ts';
import type { PolicyOptions } from '../policyOptions.ts';
import { concat, type FilterWords, filterWords, inSet, lookup, verdict } from './filterWords.ts';
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
  const isolated = isolatedAddresses(chains, family);
  const unknown = unknownPods(node, words, options, report);
  const sets: NftSet[] = [podMap('egress', chains, words), podMap('ingress', chains, words)];
  const allowsSelf = options.hairpin !== 'policy';
  if (allowsSelf) {
    // nft cannot compare the source with the destination: pairs can.
    const elements = isolated.map((ip) => ({ key: [ip, ip] }));
    sets.push({ kind: 'set', name: 'self', type: [words.addressType, words.addressType], flags: [], elements });
  }
  const common = commonRules(words, options);
  const self: readonly NftRule[] = allowsSelf
    ? [rule([inSet(concat(words.source, words.destination), 'self'), verdict('accept')])]
    : [];
  const egress = rule([lookup(words.source, 'egress-pods')]);
  const ingress = rule([lookup(words.destination, 'ingress-pods')]);
  const isPostrouting = options.hook === 'postrouting';
  const base: readonly NftChain[] = [
    {
      name: isPostrouting ? 'postrouting' : 'forward',
      // Behind DNAT and before SNAT either way: the real receiver, the real sender.
      base: hook(isPostrouting ? 'postrouting' : 'forward', isPostrouting ? sourceNat - 5 : filter),
      rules: [...common, ...(isPostrouting ? [fromThisNode] : []), ...unknown.forward, ...self, egress, ingress],
    },
    {
      name: 'input',
      // IPVS takes its packets just before this priority; at `filter` they would still show the Service's address.
      base: hook('input', isPostrouting ? sourceNat + 1 : filter),
      rules: [...common, ...unknown.input, egress],
    },
  ];
  return {
    family: words.tableFamily,
    name: policyTableName,
    comment: 'NetworkPolicy, compiled by k8snet',
    sets: [...sets, ...unknown.sets, ...chains.sets],
    // Chains must be known before maps and rules lead to them: nft takes a table block as a whole, in any order.
    chains: [...chains.chains, ...base],
  };
}

/** From the address of a pod to the chain that judges it. */
function podMap(direction: Direction, { verdicts }: PolicyChains, { addressType }: FilterWords): NftSet {
  return {
    kind: 'map',
    name: `${direction}-pods`,
    type: [addressType],
    valueType: ['verdict'],
    flags: [],
    elements: verdicts[direction],
  };
}

/** Replaces the table by what it should be, all at once; `destroy table` would need nft 1.0.7. */
export function replaceTable(table: NftTable): readonly NftCommand[] {
  const place = { family: table.family, table: table.name } as const;
  return [
    { object: 'table', verb: 'add', ...place },
    { object: 'table', verb: 'delete', ...place },
    { object: 'block', verb: 'add', ...place, content: table },
  ];
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
      message: `no ${words.family === 'ipv4' ? 'IPv4' : 'IPv6'} pod range of the node is known: unknown pods stay open`,
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
  const closed = (side: FilterWords['source']) =>
    rule([inSet(side, 'pod-ranges'), inSet(side, 'local-pods', '!='), { kind: 'counter' }, verdict('drop')]);
  return {
    sets: [
      {
        kind: 'set',
        name: 'local-pods',
        type: [words.addressType],
        flags: [],
        elements: known.map(({ ip }) => ({ key: [ip] })),
      },
      intervalSet('pod-ranges', words.addressType, ranges, words.family),
    ],
    forward: [closed(words.source), closed(words.destination)],
    input: [closed(words.source)],
  };
}

function nodeCIDRs({ model }: NodePolicies, name: string | undefined) {
  const nodes = name === undefined ? model.nodes : model.nodes.filter((node) => node.name === name);
  return nodes.flatMap(({ podCIDRs }) => podCIDRs.map(parseCidr)).filter((cidr) => cidr !== undefined);
}
