import { addressInCidr } from '../../../common/addresses/addressInCidr.ts';
import { type Cidr, cidrContains, isStrictSubnet, parseCidr } from '../../../common/addresses/cidr.ts';
import { readIpPort } from '../../../common/addresses/readIpPort.ts';
import { findFirst } from '../../../common/findFirst.ts';
import { count } from '../../../common/text/count.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import type { Rule, Word } from '../../../netfilter/iptables/ast.ts';
import { isProxyChain, serviceChainKind } from '../../../netfilter/proxyChains.ts';
import { endpointOf } from '../../../node/endpointOf.ts';
import { linesOf, placeOf } from '../../../node/lines/chainLines.ts';
import type { ToolRules } from '../../../node/nodeRules.ts';
import { isPluginInterface } from '../../../node/programs/foreignPrograms.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { rulesOf } from '../../../node/rulesOf.ts';
import { podRangeOf } from '../../../seen/settings/podDetector.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { DumpFinding } from '../dumpFinding.ts';

/**
 * K8N411: after KUBE-POSTROUTING, a rule of another program gives packets between Pods the node's address. A connection
 * between two Pods is walked through POSTROUTING; a rule counts if it certainly matches.
 */
export function* podMasqueradeChecks(set: ToolRules): Iterable<DumpFinding> {
  const chains = set.tables.get('nat')?.chains;
  const chain = chains?.get('POSTROUTING');
  if (chains === undefined || chain === undefined || findFirst(chains.keys(), isProxyChain) === undefined) return;
  const told = new Map<string, Told>();
  for (const traffic of podTraffic(set, chain)) {
    const end = walk(chain, traffic, { set, depth: 0 });
    if (end.kind !== 'rewritten' || end.isBeforeProxy) continue;
    const line = linesOf(end.chain)[end.at] as string;
    const shape = shapeOf(rulesOf(end.chain, set.family)[end.at] as Rule);
    const one = told.get(shape);
    if (one === undefined) told.set(shape, { traffic, rules: new Map([[line, end]]) });
    else if (!one.rules.has(line)) one.rules.set(line, end);
  }
  for (const { traffic, rules } of told.values()) {
    const [[line] = ['']] = rules;
    const more = rules.size === 1 ? '' : `, and ${count(rules.size - 1, 'more rule')} like it`;
    const seen = `what ${traffic.from} sends to ${traffic.to} is masqueraded too: ${escapeText(line)}${more}`;
    const parts = {
      what: seen,
      found: [...rules.values()].slice(0, mostNamed).map(({ chain, at }) => placeOf(chain, at)),
    };
    yield { finding: makeFinding('K8N411', traffic.isSeen ? parts : { ...parts, ...onlyIfAway }) };
  }
}

/** Rules that do the same, each in the chain of one Pod; and what the first of them does, and to which packets. */
interface Told {
  readonly traffic: PodTraffic;
  readonly rules: Map<string, Rewritten>;
}

const mostNamed = 20;

/** A rule without the parts that identify its Pod. */
function shapeOf({ words, target }: Rule): string {
  return JSON.stringify([words.filter(({ kind }) => kind !== 'comment' && kind !== 'source'), target]);
}

/** A cluster of one node has no such Pods. */
const onlyIfAway = { severity: 'info', isAdvice: true } as const;

/** Addresses of two Pods, the second usually on another node. */
interface PodTraffic {
  readonly from: string;
  readonly to: string;
  /** The second is behind a different interface than Pods on this node, as far as its address shows. */
  readonly isAway: boolean;
  /** A Service leads to the second, so it exists. */
  readonly isSeen: boolean;
}

function podTraffic(set: ToolRules, chain: RuleChain): readonly PodTraffic[] {
  const range = parseCidr(podRangeOf(set) ?? '');
  const inRange = (ip: string) => range === undefined || cidrContains(range, ip);
  const endpoints = endpointsOf(set).filter(inRange);
  const ends = range === undefined ? [] : [addressInCidr(range, 10), farIn(range)].flatMap((ip) => ip ?? []);
  const sources = rulesIn(chain, set).flatMap(({ words, target }) =>
    target === undefined
      ? []
      : words.flatMap((word) => sourceOf(word, range === undefined ? () => false : inRange, endpoints)),
  );
  const from = [...new Set([...sources, ...endpoints.slice(0, mostTried), ...ends])];
  const here = ownNetworks(chain, set, range);
  const isHere = (ip: string) => here.length === 0 || here.some((network) => cidrContains(network, ip));
  const between = (one: string, other: string, isSeen: boolean): readonly PodTraffic[] => {
    // Without a range of all Pods, a distant address may be a node's.
    if (one === other || (range === undefined && block(one, set) !== block(other, set))) return [];
    if (!isHere(one) && !isHere(other)) return [];
    return [{ from: one, to: other, isAway: subnet(one, set) !== subnet(other, set), isSeen }];
  };
  const seen = endpoints.slice(0, mostTried);
  return [
    ...from.flatMap((one) => seen.flatMap((other) => between(one, other, true))),
    ...from.flatMap((one) => ends.flatMap((other) => between(one, other, false))),
  ];
}

/** Parts of the Pod range that rules name as a source: those of Pods on this node, which communicate through it. */
function ownNetworks(chain: RuleChain, set: ToolRules, range: Cidr | undefined): readonly string[] {
  return rulesIn(chain, set).flatMap(({ words }) =>
    words.flatMap((word) => {
      const own = word.kind === 'source' && !word.negated ? parseCidr(word.address) : undefined;
      return own !== undefined && range !== undefined && isStrictSubnet(own, range) ? [own.text] : [];
    }),
  );
}

const mostTried = 8;

/** The rules of POSTROUTING and of other programs' chains that it calls. */
function rulesIn(chain: RuleChain, set: ToolRules): readonly Rule[] {
  const rules = rulesOf(chain, set.family).slice(0, mostRules);
  return rules.flatMap((rule) => {
    const inner = innerChain(rule, set);
    return inner === undefined ? [rule] : [rule, ...rulesOf(inner, set.family).slice(0, mostRules)];
  });
}

const mostRules = 200;

/** An address in the range that a rule names as its source, if Pods have it. */
function sourceOf(word: Word, isPod: (ip: string) => boolean, endpoints: readonly string[]): readonly string[] {
  if (word.kind !== 'source' || word.negated) return [];
  const own = parseCidr(word.address);
  const ip = own === undefined ? undefined : (addressInCidr(own, 10) ?? addressInCidr(own, 0));
  if (own === undefined || ip === undefined) return [];
  return isPod(ip) || endpoints.some((endpoint) => cidrContains(own, endpoint)) ? [ip] : [];
}

function endpointsOf(set: ToolRules): readonly string[] {
  const ips: string[] = [];
  for (const chain of set.tables.get('nat')?.chains.values() ?? []) {
    if (serviceChainKind(chain.name) !== 'endpoint') continue;
    const to = endpointOf(chain, set.family);
    const ip = to === undefined ? undefined : (readIpPort(to)?.ip ?? to);
    if (ip !== undefined && !ips.includes(ip)) ips.push(ip);
    if (ips.length === mostEndpoints) break;
  }
  return ips;
}

const mostEndpoints = 64;

/** An address far from the first: that of a Pod on the last node. */
function farIn(range: Cidr): string | undefined {
  const size = range.family === 'ipv4' ? range.last - range.first : Number(range.last - range.first);
  return addressInCidr(range, Math.min(size, 2 ** 50) - 10);
}

/** The usual sizes of a node's network and of a cluster's. */
function subnet(ip: string, { family }: ToolRules): string {
  return parseCidr(`${ip}/${family === 'ipv4' ? 24 : 64}`)?.text ?? ip;
}

function block(ip: string, { family }: ToolRules): string {
  return parseCidr(`${ip}/${family === 'ipv4' ? 16 : 48}`)?.text ?? ip;
}

type End = { readonly kind: 'passed' | 'ended' } | Rewritten;

interface Rewritten {
  readonly kind: 'rewritten';
  readonly chain: RuleChain;
  readonly at: number;
  readonly isBeforeProxy: boolean;
}

interface Place {
  readonly set: ToolRules;
  readonly depth: number;
}

function walk(chain: RuleChain, traffic: PodTraffic, { set, depth }: Place): End {
  let isBeforeProxy = linesOf(chain).some((line) => line.endsWith(' -j KUBE-POSTROUTING'));
  for (const [at, rule] of rulesOf(chain, set.family).slice(0, mostRules).entries()) {
    const { target } = rule;
    if (target?.kind === 'jump' && target.chain === 'KUBE-POSTROUTING') isBeforeProxy = false;
    const matches = meets(rule, traffic);
    if (matches === 'no' || target === undefined) continue;
    if (target.kind === 'masquerade' || target.kind === 'snat') {
      // A rule that may match also takes the packet from the others: nothing is certain after it.
      return matches === 'yes' ? { kind: 'rewritten', chain, at, isBeforeProxy } : { kind: 'ended' };
    }
    if (target.kind !== 'jump') continue;
    if (target.chain === 'RETURN') return { kind: depth === 0 ? 'ended' : 'passed' };
    if (target.chain === 'ACCEPT') return { kind: 'ended' };
    const inner = depth < deepest ? innerChain(rule, set) : undefined;
    if (inner === undefined) continue;
    const end = walk(inner, traffic, { set, depth: depth + 1 });
    if (end.kind === 'ended') return end;
    if (end.kind === 'rewritten') return matches === 'yes' ? { ...end, isBeforeProxy } : { kind: 'ended' };
  }
  return { kind: 'passed' };
}

const deepest = 3;

function innerChain({ target }: Rule, set: ToolRules): RuleChain | undefined {
  if (target?.kind !== 'jump' || isProxyChain(target.chain)) return undefined;
  return set.tables.get('nat')?.chains.get(target.chain);
}

function meets({ words }: Rule, traffic: PodTraffic): 'yes' | 'maybe' | 'no' {
  let all: 'yes' | 'maybe' = 'yes';
  for (const word of words) {
    const one = meetsWord(word, traffic);
    if (one === 'no') return 'no';
    if (one === 'maybe') all = 'maybe';
  }
  return all;
}

function meetsWord(word: Word, traffic: PodTraffic): 'yes' | 'maybe' | 'no' {
  const told = (is: boolean) => (is ? 'yes' : 'no');
  switch (word.kind) {
    case 'comment':
      return 'yes';
    case 'source':
      return told(cidrContains(word.address, traffic.from) !== (word.negated ?? false));
    case 'destination':
      return told(cidrContains(word.address, traffic.to) !== (word.negated ?? false));
    case 'outInterface':
      // Packets to another node may leave by an overlay, whose name the rule may or may not contain.
      return word.negated && traffic.isAway && !isPluginInterface(word.name) ? 'yes' : 'no';
    case 'mark':
      return told((word.value === 0) !== (word.negated ?? false));
    case 'addrtype':
      return meetsType(word.options);
    default:
      return 'maybe';
  }
}

function meetsType(options: Extract<Word, { kind: 'addrtype' }>['options']): 'yes' | 'maybe' | 'no' {
  const [option, ...more] = options;
  if (option?.name !== 'dst-type' || more.length > 0 || option.types.length !== 1) return 'maybe';
  const isNamed = option.types[0] === 'UNICAST';
  if (!isNamed && option.types[0] !== 'LOCAL') return 'maybe';
  return isNamed !== (option.negated ?? false) ? 'yes' : 'no';
}
