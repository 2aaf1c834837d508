import { escapeText } from '../../../common/text/escapeText.ts';
import type { Rule, Target, Word } from '../../../netfilter/iptables/ast.ts';
import { ruleSteps } from '../../../netfilter/iptables/meaning/ruleSteps.ts';
import { jumpOf, portsAsked } from '../../../netfilter/iptables/ruleParts.ts';
import { chainPrefixes, isNeighbourChain, isProxyChain } from '../../../netfilter/proxyChains.ts';
import { eachChain, sharedChains } from '../../../node/chains/eachChain.ts';
import { linesOf, placeOf } from '../../../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../../../node/nodeRules.ts';
import { pickRules } from '../../../node/pickRules.ts';
import { foreignOwner, isPluginInterface } from '../../../node/programs/foreignPrograms.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { rulesOf, targetName } from '../../../node/rulesOf.ts';
import type { FindingCode } from '../../../problems/problemCode.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { DumpFinding } from '../dumpFinding.ts';
import { untrackedRule } from '../node/untrackedRule.ts';
import { firewallChecks } from './firewallChecks.ts';
import type { MatchedTraffic } from './matchedTraffic.ts';
import { reachedFrom } from './reachedFrom.ts';
import { serviceTraffic } from './serviceTraffic.ts';

/** Rules of other programs that come before kube-proxy's, or touch its marks. */
export function foreignChecks(set: ToolRules): readonly DumpFinding[] {
  return [
    ...beforeServices(set),
    ...beforePostrouting(set),
    ...markClashes(set),
    ...untracked(set),
    ...firewallChecks(set),
  ];
}

function findingAt(id: FindingCode, seen: string, chain: RuleChain, at: number): DumpFinding {
  return { finding: makeFinding(id, { what: seen, found: [placeOf(chain, at)] }) };
}

/** Rules of a built-in chain before the jump to one of kube-proxy's chains, if there is such a jump. */
function* rulesBefore(set: ToolRules, table: string, from: string, to: string) {
  const chain = set.tables.get(table)?.chains.get(from);
  if (chain === undefined) return;
  const jump = linesOf(chain).findIndex((line) => targetName(line) === to);
  if (jump <= 0) return;
  const rules = rulesOf(chain, set.family);
  for (let at = 0; at < jump; at += 1) {
    const rule = rules[at] as Rule;
    const target = jumpOf(rule) ?? '';
    if (!isProxyChain(target)) yield { chain, at, rule, target };
  }
}

function* beforeServices(set: ToolRules): Iterable<DumpFinding> {
  const nat = set.tables.get('nat');
  const reachOf = serviceTraffic(set);
  for (const from of ['PREROUTING', 'OUTPUT']) {
    for (const { chain, at, rule, target } of rulesBefore(set, 'nat', from, 'KUBE-SERVICES')) {
      const line = escapeText(linesOf(chain)[at] as string);
      if (target === 'CNI-HOSTPORT-DNAT') {
        yield* hostPortFirst(set, chain, at);
        continue;
      }
      if (takesPackets(rule.target) && !isElsewhere(rule)) {
        yield* before(reachOf(ruleSteps(rule, set.family)), `${from} has ${line} before KUBE-SERVICES`, chain, at);
        continue;
      }
      // A chain of another program is followed one step deep.
      const inner = target === '' ? undefined : nat?.chains.get(target);
      if (inner === undefined || isElsewhere(rule) || foreignOwner(target) === 'docker') continue;
      for (const [place, own] of rulesOf(inner, set.family).slice(0, 200).entries()) {
        if (!translates(own.target) || isElsewhere(own)) continue;
        const reach = reachOf([...ruleSteps(rule, set.family), ...ruleSteps(own, set.family)]);
        if (reach === 'none') continue;
        const shown = escapeText(linesOf(inner)[place] as string);
        const seen = `${from} jumps to ${escapeText(target)} before KUBE-SERVICES, and that chain has ${shown}`;
        yield* before(reach, seen, inner, place);
        break;
      }
    }
  }
}

/**
 * A port that no Service has today may get one tomorrow: the finding is milder, but the rule is still not meant to be
 * there.
 */
function* before(reach: MatchedTraffic, seen: string, chain: RuleChain, at: number): Iterable<DumpFinding> {
  if (reach === 'none') return;
  const found = [placeOf(chain, at)];
  const parts =
    reach === 'service'
      ? { what: seen }
      : { what: `${seen}; no Service has such a port now`, severity: 'warning' as const };
  yield { finding: makeFinding('K8N606', { ...parts, found }) };
}

function translates(target: Target | undefined): boolean {
  return target?.kind === 'dnat' || (target?.kind === 'other' && target.name === 'REDIRECT');
}

function takesPackets(target: Target | undefined): boolean {
  return translates(target) || (target?.kind === 'jump' && (target.chain === 'ACCEPT' || target.chain === 'RETURN'));
}

/** The rule is for an interface of its own, or for a protocol without ports. */
function isElsewhere(rule: Rule): boolean {
  return rule.words.some(
    (word) =>
      (word.kind === 'inInterface' && !word.negated && /^(?:docker|br-|virbr|lo$|tailscale|wg)/.test(word.name)) ||
      (word.kind === 'protocol' && !word.negated && !/^(?:tcp|udp|sctp)$/.test(word.protocol)),
  );
}

/** K8N601: the chain of host ports comes first, and the host port is also a load balancer's port. */
function* hostPortFirst(set: ToolRules, chain: RuleChain, at: number): Iterable<DumpFinding> {
  const hostPorts = set.tables.get('nat')?.chains.get('CNI-HOSTPORT-DNAT');
  if (hostPorts === undefined) return;
  const services = externalPorts(set);
  const isServicePort = (port: string) => services.has(port);
  const shared = rulesOf(hostPorts, set.family)
    .map(portsAsked)
    .find((ports) => ports.some(isServicePort));
  const port = shared?.find(isServicePort);
  if (shared === undefined || port === undefined) return;
  const seen = `host port ${port} is also the port of a Service, and ${chain.name} jumps to CNI-HOSTPORT-DNAT first`;
  // A Pod that takes exactly the load balancer's ports implements that load balancer.
  const isStandIn = shared.every(isServicePort);
  const parts = isStandIn ? { ...standIn, what: seen } : { what: seen };
  yield { finding: makeFinding('K8N601', { ...parts, found: [placeOf(chain, at)] }) };
}

const standIn = {
  severity: 'info',
  isAdvice: true,
  why: 'One Pod has all ports of the load balancer as host ports, as the Pods of k3s’s ServiceLB (svclb) have: that is how it passes traffic on.',
  fix: 'Nothing to do where that Pod belongs to the Service (`kubectl -n kube-system get pods -o wide | grep svclb`); else change one of the ports.',
} as const;

/** Ports of Services at addresses that clients outside can reach. */
function externalPorts({ tables, family }: ToolRules): ReadonlySet<string> {
  const services = tables.get('nat')?.chains.get('KUBE-SERVICES');
  const ports = new Set<string>();
  for (const { rule } of pickRules(services, family, { holds: externalChains })) {
    if (!externalChains.some((start) => jumpOf(rule)?.startsWith(start))) continue;
    for (const port of portsAsked(rule)) ports.add(port);
  }
  return ports;
}

const externalChains = [chainPrefixes.external, chainPrefixes.firewall, chainPrefixes.localExternal];

function* beforePostrouting(set: ToolRules): Iterable<DumpFinding> {
  const nat = set.tables.get('nat');
  for (const { chain, at, rule, target } of rulesBefore(set, 'nat', 'POSTROUTING', 'KUBE-POSTROUTING')) {
    const inner = nat?.chains.get(target);
    const rules = inner === undefined ? [rule] : rulesOf(inner, set.family).slice(0, 200);
    if (rules.some(sparesMark)) continue;
    const place = rules.findIndex(rewritesSource);
    if (place === -1 || !coversPods(rules[place] as Rule) || (inner !== undefined && !coversPods(rule))) continue;
    const [holder, where] = inner === undefined ? [chain, at] : [inner, place];
    yield findingAt(
      'K8N405',
      `${escapeText(holder.name)} has ${escapeText(linesOf(holder)[where] as string)}, before KUBE-POSTROUTING`,
      holder,
      where,
    );
  }
}

function sparesMark(rule: Rule): boolean {
  const isReturn = rule.target?.kind === 'jump' && rule.target.chain === 'RETURN';
  return isReturn && rule.words.some(({ kind }) => kind === 'mark');
}

function rewritesSource({ target }: Rule): boolean {
  return target?.kind === 'masquerade' || target?.kind === 'snat';
}

/**
 * The rule is not limited to an interface of containers outside the cluster, to a narrow source, to packets of the node
 * itself, or by sets, and does not exempt only a network plug-in's interfaces.
 */
function coversPods(rule: Rule): boolean {
  return !rule.words.some(
    (word) =>
      (word.kind === 'outInterface' && /^(?:docker|br-|virbr)/.test(word.name)) ||
      (word.kind === 'outInterface' && word.negated && isPluginInterface(word.name)) ||
      word.kind === 'set' ||
      (word.kind === 'addrtype' && word.options.some(isOfNode)) ||
      (word.kind === 'source' && !word.negated && /^(?:172\.1[78]\.|192\.168\.122\.)/.test(word.address)) ||
      word.kind === 'mark',
  );
}

function isOfNode(option: Extract<Word, { kind: 'addrtype' }>['options'][number]): boolean {
  return option.name === 'src-type' && !option.negated && option.types[0] === 'LOCAL';
}

/** kube-proxy's bits, and the kubelet's bit for dropping. */
const ownBits = 0xc000;

function* markClashes(set: ToolRules): Iterable<DumpFinding> {
  for (const table of set.tables.values()) {
    for (const chain of eachChain(table, sharedChains)) {
      if (isProxyChain(chain.name) || isNeighbourChain(table.name, chain.name)) continue;
      for (const { rule, at } of pickRules(chain, set.family, { holds: [' MARK '] })) {
        if (!isClash(rule) || (!writesOwnBits(rule) && maybeBeforeMarking(table, chain.name))) continue;
        yield findingAt(
          'K8N406',
          `${escapeText(chain.name)} holds ${escapeText(linesOf(chain)[at] as string)}`,
          chain,
          at,
        );
        break;
      }
    }
  }
}

function isClash({ target }: Rule): boolean {
  if (target?.kind !== 'mark') return false;
  const { value, mask = 0xffffffff } = target;
  // Setting a whole mark to 0 or other bits wipes kube-proxy's; writing its bits makes packets look like its own.
  return (mask & ownBits) !== 0 && ((value & ownBits) !== 0 || mask >>> 0 === 0xffffffff);
}

function writesOwnBits({ target }: Rule): boolean {
  return target?.kind === 'mark' && (target.value & ownBits) !== 0;
}

/**
 * kube-proxy marks packets in nat's PREROUTING and OUTPUT: wiping a mark earlier does not affect its marks. Nothing shows when
 * a chain is asked that no rule leads to in a part of a table.
 */
function maybeBeforeMarking(table: RuleTable, chain: string): boolean {
  const isEarly = table.name === 'raw' || table.name === 'mangle';
  if (table.isWhole && !isEarly) return false;
  const from = reachedFrom(table, chain);
  if (from.length === 0) return !table.isWhole;
  return isEarly && from.every((name) => name === 'PREROUTING' || name === 'OUTPUT');
}

function* untracked(set: ToolRules): Iterable<DumpFinding> {
  const rule = untrackedRule(set);
  if (rule === undefined) return;
  const { chain, at } = rule;
  const text = `${escapeText(chain.name)} of the table raw holds ${escapeText(linesOf(chain)[at] as string)}`;
  // Calico's rules see such packets as invalid and drop them.
  const hasCalico = [...set.tables.values()].some(({ chains }) =>
    [...chains.keys()].some((name) => foreignOwner(name) === 'calico'),
  );
  const parts = { what: hasCalico ? `${text}, and Calico is here too` : text, found: [placeOf(chain, at)] };
  const finding = makeFinding('K8N602', hasCalico ? { ...parts, severity: 'warning', isAdvice: false } : parts);
  yield { finding };
}
