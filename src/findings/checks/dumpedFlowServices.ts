import { canonicalIp } from '../../common/ip.ts';
import { linesOf } from '../../node/chainLines.ts';
import { isServiceChain } from '../../node/foreignPrograms.ts';
import { nftServiceName } from '../../node/nftServiceName.ts';
import type { NodeRules, RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { everyTool } from '../../node/ruleKinds.ts';
import { targetName } from '../../node/rulesOf.ts';
import { servicePortInLine } from '../../node/servicePortInLine.ts';
import type { FlowEntrance, FlowProtocol, FlowService, FlowServices } from './flowServices.ts';
import { groupChains } from './groupChains.ts';

/** The ports of one protocol of Services as the rules of a dump have them: of iptables, of nftables mode, of IPVS. */
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

/** The first rule for an address counts; entrances of one name are of one Service port. */
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
  const nat = set.tables.get('nat');
  const groups = groupChains(nat, isServiceChain, (line) => ({
    chains: [targetName(line)],
    endpoints: endpointKeys(/ --to-destination (\S+)/.exec(line)?.[1]),
  }));
  for (const { ip, port, line } of entranceRules(nat, protocol)) {
    const target = targetName(line);
    if (!isServiceChain(target) || (!nat?.isWhole && !showsEveryEndpoint(nat, target))) continue;
    const service = { name: servicePortInLine(line) || undefined, endpoints: groups(target), isIpvs: false };
    add(ip, port, service, true);
  }
  for (const { ip, port, line } of entranceRules(set.tables.get('filter'), protocol)) {
    // A DROP says that endpoints are elsewhere; which, it does not say.
    if (targetName(line) !== 'REJECT') continue;
    add(ip, port, { name: servicePortInLine(line) || undefined, endpoints: new Set(), isIpvs: false }, false);
  }
}

/**
 * A piece of a table shows all endpoints where the ladder has all its rules, and every endpoint its translation. That a
 * rule was left out shows in the probabilities: of n rules, the first takes one packet in n.
 */
function showsEveryEndpoint(nat: RuleTable | undefined, target: string): boolean {
  const rungs = linesOf(nat?.chains.get(target)).filter(
    (line) => targetName(line) !== 'KUBE-MARK-MASQ' && !line.includes(' -m recent '),
  );
  if (rungs.length === 0) return false;
  return rungs.every((line, at) => {
    const name = targetName(line);
    if (!name.startsWith('KUBE-SEP-')) return isServiceChain(name) && showsEveryEndpoint(nat, name);
    const probability = Number(/ --probability ([\d.]+)/.exec(line)?.[1] ?? 1);
    const isFair = Math.abs(probability * (rungs.length - at) - 1) < roundingOfProbabilities;
    return isFair && linesOf(nat?.chains.get(name)).some((own) => own.includes(' --to-destination '));
  });
}

/** Versions through 1.18 print five digits. */
const roundingOfProbabilities = 0.01;

function* entranceRules(table: RuleTable | undefined, protocol: FlowProtocol) {
  for (const chain of ['KUBE-SERVICES', 'KUBE-EXTERNAL-SERVICES', 'KUBE-NODEPORTS']) {
    for (const line of linesOf(table?.chains.get(chain))) {
      const port = / --dport (\d+)(?: |$)/.exec(line)?.[1];
      if (port === undefined || !line.includes(` -p ${protocol} `) || line.includes(' ! -d ')) continue;
      const ip = chain === 'KUBE-NODEPORTS' ? undefined : / -d ([^\s/]+)/.exec(line)?.[1];
      yield { ip: ip ?? '*', port, line };
    }
  }
}

function addNftables(set: ToolRules, protocol: FlowProtocol, add: AddEntrance): void {
  const table = set.tables.get(`${set.family === 'ipv6' ? 'ip6' : 'ip'} kube-proxy`);
  const groups = groupChains(
    table,
    (chain) => /^(?:service|local|external|firewall|endpoint|affinity)-/.test(chain),
    (line) => ({
      chains: [...line.matchAll(/\b(?:goto|jump) ([^\s,]+)/g)].map(([, chain]) => chain as string),
      endpoints: [...endpointKeys(/\bdnat to (\S+)/.exec(line)?.[1]), ...endpointsOfMap(line)],
    }),
  );
  const elements = (name: string) =>
    linesOf(table?.chains.get(`map ${name}`)).flatMap((line) => {
      const element = /^(?:(\S+) \. )?(tcp|udp) \. (\d+) : (?:goto|jump) (\S+)$/.exec(line);
      return element === null || element[2] !== protocol
        ? []
        : [{ ip: element[1] ?? '*', port: element[3] as string, chain: element[4] as string }];
    });
  for (const { ip, port, chain } of [...elements('service-ips'), ...elements('service-nodeports')]) {
    add(ip, port, { name: nftServiceName(chain), endpoints: groups(chain), isIpvs: false }, true);
  }
  for (const { ip, port } of [...elements('no-endpoint-services'), ...elements('no-endpoint-nodeports')]) {
    add(ip, port, { name: undefined, endpoints: new Set(), isIpvs: false }, false);
  }
}

function addIpvs(set: ToolRules, protocol: FlowProtocol, add: AddEntrance): void {
  for (const chain of set.tables.get('ipvs')?.chains.values() ?? []) {
    const address = /^\[?([^\]]*)\]?:(\d+)\/(tcp|udp)$/.exec(chain.name);
    if (address === null || address[3] !== protocol) continue;
    const endpoints = new Set(linesOf(chain).flatMap((line) => endpointKeys(/^server (\S+)/.exec(line)?.[1])));
    const service = { name: undefined, endpoints, isIpvs: true };
    add(address[1] as string, address[2] as string, service, endpoints.size > 0);
  }
}

/** Of `dnat ip to numgen random mod 2 map { 0 : 10.244.1.7 . 53, 1 : … }`, as kube-proxy 1.36 balances. */
function endpointsOfMap(line: string): readonly string[] {
  const map = /\bdnat ip6? to numgen .* map \{(.*)\}/.exec(line)?.[1] ?? '';
  return [...map.matchAll(/ : ([0-9a-fA-F.:]+) \. (\d+)/g)].map(
    ([, ip = '', port]) => `${canonicalIp(ip) ?? ip} ${port}`,
  );
}

/** `10.244.1.7 53` of `10.244.1.7:53`. */
function endpointKeys(text: string | undefined): readonly string[] {
  const parts = /^\[?([0-9a-fA-F.:]+?)\]?:(\d+)$/.exec(text ?? '');
  const ip = parts === null ? undefined : canonicalIp(parts[1] as string);
  return ip === undefined ? [] : [`${ip} ${parts?.[2]}`];
}
