import type { Family } from '../../../common/addresses/family.ts';
import { canonicalIp } from '../../../common/addresses/ip.ts';
import { readIpPort } from '../../../common/addresses/readIpPort.ts';
import type { Rule } from '../../../netfilter/iptables/ast.ts';
import { ruleHead } from '../../../netfilter/iptables/ruleHead.ts';
import { hasWord, jumpOf, matchOf } from '../../../netfilter/iptables/ruleParts.ts';
import { chainsNamed } from '../../../netfilter/nft/chainsNamed.ts';
import { translatedTo } from '../../../netfilter/nft/translatedTo.ts';
import { isServiceChain, serviceChainKind } from '../../../netfilter/proxyChains.ts';
import { nftElementsOf, nftRulesOf } from '../../../node/nftItems.ts';
import type { NodeRules, RuleTable, ToolRules } from '../../../node/nodeRules.ts';
import { everyTool } from '../../../node/ruleKinds.ts';
import { rulesOf } from '../../../node/rulesOf.ts';
import { nftServiceName } from '../../../seen/names/nftServiceName.ts';
import { servicePortOfRule } from '../../../seen/names/servicePortOfRule.ts';
import { groupChains, type RuleTargets } from '../chains/groupChains.ts';
import type { FlowEntrance, FlowProtocol, FlowService, FlowServices } from './flowServices.ts';

/** The ports of one protocol of Services in the rules of a dump: of iptables, nftables or IPVS mode. */
export function dumpedFlowServices(dump: NodeRules, protocol: FlowProtocol): FlowServices {
  const entrances = new Map<string, FlowEntrance>();
  for (const set of everyTool(dump)) {
    const add = adder(entrances);
    if (set.kind === 'iptables') addIptables(set, protocol, add);
    else if (set.kind === 'nftables') addNftables(set, protocol, add);
    else if (set.kind === 'ipvs') addIpvs(set, protocol, add);
  }
  return { entrances, nodeAddresses: new Set() };
}

type AddEntrance = (ip: string, port: string, service: FlowService, isOpen: boolean) => void;

/** The first rule for an address counts; entrances with one name belong to one Service port. */
function adder(entrances: Map<string, FlowEntrance>): AddEntrance {
  const named = new Map<string, FlowService>();
  return (ip, port, service, isOpen) => {
    const canonical = ip === '*' ? ip : canonicalIp(ip);
    const key = `${canonical} ${port}`;
    if (canonical === undefined || entrances.has(key)) return;
    const name = `${service.name} ${service.endpoints.size > 0}`;
    const known = (service.name === undefined ? undefined : named.get(name)) ?? service;
    if (service.name !== undefined) named.set(name, known);
    entrances.set(key, { service: known, isOpen });
  };
}

function addIptables(set: ToolRules, protocol: FlowProtocol, add: AddEntrance): void {
  const { family, tables } = set;
  const nat = tables.get('nat');
  const groups = groupChains(nat, isServiceChain, (chain) => rulesOf(chain, family).map(ruleTargets));
  for (const { ip, port, rule } of entranceRules(nat, protocol, family)) {
    const target = jumpOf(rule) ?? '';
    if (!isServiceChain(target) || (!nat?.isWhole && !showsEveryEndpoint(nat, target, family))) continue;
    const service = { name: servicePortOfRule(rule) || undefined, endpoints: groups(target), isIpvs: false };
    add(ip, port, service, true);
  }
  for (const { ip, port, rule } of entranceRules(tables.get('filter'), protocol, family)) {
    // A DROP shows that endpoints are elsewhere, but not which.
    if (rule.target?.kind !== 'reject') continue;
    add(ip, port, { name: servicePortOfRule(rule) || undefined, endpoints: new Set(), isIpvs: false }, false);
  }
}

function ruleTargets({ target }: Rule): RuleTargets {
  return {
    chains: target?.kind === 'jump' ? [target.chain] : [],
    endpoints: target?.kind === 'dnat' ? endpointKeys(target.to) : [],
  };
}

/**
 * A piece of a table shows all endpoints if the ladder has all its rules, and every endpoint its translation.
 * Probabilities show whether a rule was left out: the first of n rules takes one packet in n.
 */
function showsEveryEndpoint(nat: RuleTable | undefined, target: string, family: Family): boolean {
  const rungs = rulesIn(nat, target, family).filter(
    (rule) => jumpOf(rule) !== 'KUBE-MARK-MASQ' && !hasWord(rule, 'recent'),
  );
  if (rungs.length === 0) return false;
  return rungs.every((rule, at) => {
    const name = jumpOf(rule) ?? '';
    if (serviceChainKind(name) !== 'endpoint') return isServiceChain(name) && showsEveryEndpoint(nat, name, family);
    const chance = matchOf(rule, 'statistic');
    const probability = chance?.mode === 'random' ? Number(chance.probability) : 1;
    const isFair = Math.abs(probability * (rungs.length - at) - 1) < roundingOfProbabilities;
    return isFair && rulesIn(nat, name, family).some((own) => own.target?.kind === 'dnat');
  });
}

/** Versions through 1.18 print five digits. */
const roundingOfProbabilities = 0.01;

function rulesIn(table: RuleTable | undefined, name: string, family: Family): readonly Rule[] {
  const chain = table?.chains.get(name);
  return chain === undefined ? [] : rulesOf(chain, family);
}

function* entranceRules(table: RuleTable | undefined, protocol: FlowProtocol, family: Family) {
  for (const chain of ['KUBE-SERVICES', 'KUBE-EXTERNAL-SERVICES', 'KUBE-NODEPORTS']) {
    for (const rule of rulesIn(table, chain, family)) {
      const { destination, destinationPort: port = '', protocol: own } = ruleHead(rule);
      if (own !== protocol || !/^\d+$/.test(port) || matchesOthers(rule)) continue;
      yield { ip: (chain === 'KUBE-NODEPORTS' ? undefined : destination) ?? '*', port, rule };
    }
  }
}

/** Any destination except one. */
function matchesOthers({ words }: Rule): boolean {
  return words.some((word) => word.kind === 'destination' && word.negated);
}

function addNftables(set: ToolRules, protocol: FlowProtocol, add: AddEntrance): void {
  const table = set.tables.get(`${set.family === 'ipv6' ? 'ip6' : 'ip'} kube-proxy`);
  const isOwn = (chain: string) => /^(?:service|local|external|firewall|endpoint|affinity)-/.test(chain);
  const groups = groupChains(table, isOwn, (chain) =>
    nftRulesOf(chain).map(({ item: { statements } }) => ({
      chains: statements.flatMap(chainsNamed),
      endpoints: statements.flatMap((one) =>
        translatedTo(one).flatMap(({ address, port }) => endpointKey(address, port)),
      ),
    })),
  );
  const elements = (name: string) =>
    nftElementsOf(table?.chains.get(`map ${name}`)).flatMap(({ item: { key, verdict } }) => {
      const [port = '', own, ip = '*'] = key.toReversed();
      return own === protocol && verdict !== undefined && 'chain' in verdict
        ? [{ ip, port, chain: verdict.chain }]
        : [];
    });
  for (const { ip, port, chain } of [...elements('service-ips'), ...elements('service-nodeports')]) {
    add(ip, port, { name: nftServiceName(chain), endpoints: groups(chain), isIpvs: false }, true);
  }
  for (const { ip, port } of [...elements('no-endpoint-services'), ...elements('no-endpoint-nodeports')]) {
    add(ip, port, { name: undefined, endpoints: new Set(), isIpvs: false }, false);
  }
}

function addIpvs(set: ToolRules, protocol: FlowProtocol, add: AddEntrance): void {
  for (const { content } of set.tables.get('ipvs')?.chains.values() ?? []) {
    if (content?.kind !== 'virtualServer') continue;
    const { address, servers } = content.service;
    if (address.kind !== 'address' || address.protocol !== protocol) continue;
    const endpoints = new Set(servers.flatMap(({ ip, port }) => endpointKey(ip, String(port))));
    const service = { name: undefined, endpoints, isIpvs: true };
    add(address.ip, String(address.port), service, endpoints.size > 0);
  }
}

/** `10.244.1.7 53` from `10.244.1.7:53`. */
function endpointKeys(text: string): readonly string[] {
  const { ip, port } = readIpPort(text) ?? {};
  return endpointKey(ip, port?.toString());
}

function endpointKey(text: string | undefined, port: string | undefined): readonly string[] {
  const ip = text === undefined ? undefined : canonicalIp(text);
  return ip === undefined || port === undefined ? [] : [`${ip} ${port}`];
}
