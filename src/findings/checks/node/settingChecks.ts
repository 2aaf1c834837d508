import type { Rule } from '../../../netfilter/iptables/ast.ts';
import { commentOf, hasWord, jumpOf, matchOf } from '../../../netfilter/iptables/ruleParts.ts';
import { serviceChainKind } from '../../../netfilter/proxyChains.ts';
import type { ChainChoice } from '../../../node/chains/chainChoice.ts';
import { eachChain } from '../../../node/chains/eachChain.ts';
import { type DumpPlace, placeOf } from '../../../node/lines/chainLines.ts';
import type { ToolRules } from '../../../node/nodeRules.ts';
import { pickRules } from '../../../node/pickRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { rulesOf } from '../../../node/rulesOf.ts';
import { saysClusterIP } from '../../../seen/names/serviceInComment.ts';
import { serviceOfPort } from '../../../seen/names/serviceOfPort.ts';
import { servicePortOfRule } from '../../../seen/names/servicePortOfRule.ts';
import { listOf } from '../../explain/listOf.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';

/**
 * What a dump shows that is intended but surprising: K8N408, masqueradeAll; K8N506, ranges that a load balancer is open
 * to; K8N505, packets dropped as INVALID. If there are manifests, they say it.
 */
export function* settingChecks(set: ToolRules): Iterable<Finding> {
  yield* masqueradeAll(set);
  yield* sourceRanges(set);
  yield* invalidDropped(set);
}

function* masqueradeAll({ tables, family, hidesInterfaces }: ToolRules): Iterable<Finding> {
  // A bridge by which Pods are recognized is an interface.
  if (hidesInterfaces) return;
  const names = new Set<string>();
  const found: DumpPlace[] = [];
  const nat = tables.get('nat');
  for (const chain of nat === undefined ? [] : eachChain(nat, markingAll)) {
    if (chain.name !== 'KUBE-SERVICES' && serviceChainKind(chain.name) !== 'balance') continue;
    for (const { rule, at } of pickRules(chain, family, marksForAll)) {
      const service = servicePortOfRule(rule);
      if (!isForClusterIP(rule) || isLimited(rule) || service === '' || names.has(service)) continue;
      names.add(service);
      if (found.length < mostShown) found.push(placeOf(chain, at));
    }
  }
  if (names.size === 0) return;
  const seen = `masqueradeAll is set: every packet for the cluster IP of ${listOf([...names])} is marked`;
  yield makeFinding('K8N408', { what: seen, found });
}

/** What is usual marks packets from some sources only. */
const markingAll: ChainChoice = { kinds: (kind) => kind === 'balance', isForFaults: true };

/** Without masqueradeAll every Service has a rule that marks traffic from sources other than Pods. */
const marksForAll = { holds: [' -j KUBE-MARK-MASQ'], lacks: [' -s '] } as const;

function isForClusterIP(rule: Rule): boolean {
  return jumpOf(rule) === 'KUBE-MARK-MASQ' && saysClusterIP(commentOf(rule));
}

/** The rule distinguishes packets by their sender. */
function isLimited(rule: Rule): boolean {
  return (['source', 'inInterface', 'set', 'physdev'] as const).some((kind) => hasWord(rule, kind));
}

const mostShown = 3;

function* sourceRanges(set: ToolRules): Iterable<Finding> {
  const open: string[] = [];
  const services = new Set<string>();
  const found: DumpPlace[] = [];
  const inFilter = droppedInFilter(set);
  const nat = set.tables.get('nat');
  for (const chain of nat === undefined ? [] : eachChain(nat, { kinds: (kind) => kind === 'firewall' })) {
    const guarded = guardedBy(chain, set, inFilter);
    if (guarded === undefined) continue;
    open.push(guarded.text);
    services.add(serviceOfPort(guarded.service));
    if (found.length < mostShown) found.push(placeOf(chain, guarded.at));
  }
  const [only, ...more] = services;
  // The remark is about the settings of the node; its fix names the Service if there is only one.
  const names = only !== undefined && more.length === 0 ? { names: { service: only } } : {};
  if (open.length > 0) yield makeFinding('K8N506', { ...meant, ...names, what: listOf(open), found });
}

const meant = {
  severity: 'info',
  why: 'loadBalancerSourceRanges: what comes to the load balancer’s addresses from elsewhere is dropped.',
  fix: 'Nothing to do if that is meant; else add the clients’ ranges to `spec.loadBalancerSourceRanges`: `kubectl -n NAMESPACE edit service NAME`.',
} as const;

/** A load balancer's chain that admits some ranges and has the rest dropped. */
function guardedBy(
  chain: RuleChain,
  { family }: ToolRules,
  inFilter: ReadonlyMap<string, number>,
): { readonly service: string; readonly text: string; readonly at: number } | undefined {
  if (serviceChainKind(chain.name) !== 'firewall') return undefined;
  const rules = rulesOf(chain, family);
  const sources = rules.map((rule) => matchOf(rule, 'source')?.address);
  const at = sources.findIndex((source) => source !== undefined);
  if (at === -1) return undefined;
  const service = servicePortOfRule(rules[at] as Rule);
  if (service === '') return undefined;
  const last = rules.findIndex((rule) => jumpOf(rule) === 'KUBE-MARK-DROP');
  const dropped = last === -1 ? inFilter.get(chain.name) : (chain.packets?.[last] ?? 0);
  if (dropped === undefined) return undefined;
  const ranges = [...new Set(sources.filter((source) => source !== undefined))];
  const loss = dropped === 0 ? '' : ` and has dropped ${dropped.toLocaleString('en-US')} from elsewhere`;
  return { service, text: `${service} is open to ${listOf(ranges)} only${loss}`, at };
}

/** Since 1.25 a rule in filter drops the rest and names the chain: how many packets each has dropped. */
function droppedInFilter({ tables, family }: ToolRules): ReadonlyMap<string, number> {
  const dropped = new Map<string, number>();
  const firewall = tables.get('filter')?.chains.get('KUBE-PROXY-FIREWALL');
  for (const { rule, at } of pickRules(firewall, family, {})) {
    const name = commentOf(rule)?.split(' ').at(-1) ?? '';
    if (!dropped.has(name)) dropped.set(name, firewall?.packets?.[at] ?? 0);
  }
  return dropped;
}

function* invalidDropped({ tables, family }: ToolRules): Iterable<Finding> {
  const forward = tables.get('filter')?.chains.get('KUBE-FORWARD');
  if (forward === undefined) return;
  const at = rulesOf(forward, family).findIndex(dropsInvalid);
  const dropped = forward.packets?.[at] ?? 0;
  if (dropped === 0) return;
  const packets = `${dropped.toLocaleString('en-US')} ${dropped === 1 ? 'packet' : 'packets'}`;
  const seen = `KUBE-FORWARD has dropped ${packets} that conntrack marks INVALID`;
  yield makeFinding('K8N505', { ...usual, what: seen, found: [placeOf(forward, at)] });
}

function dropsInvalid(rule: Rule): boolean {
  const asked = matchOf(rule, 'conntrack')?.options.at(-1);
  return jumpOf(rule) === 'DROP' && asked?.name === 'ctstate' && asked.states.join() === 'INVALID' && !asked.negated;
}

const usual = {
  why: 'They belong to no connection that conntrack knows: they came late, or this node sees one direction only. Without the DROP they would reach a Pod with the wrong address, and the connection would be reset.',
  fix: 'A few are normal. If connections hang on asymmetric routes: `sysctl -w net.netfilter.nf_conntrack_tcp_be_liberal=1`, and `conntrack.tcpBeLiberal: true` in kube-proxy’s configuration so that it stays.',
} as const;
