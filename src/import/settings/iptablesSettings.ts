import { hostCidr } from '../../common/hostCidr.ts';
import { memoized } from '../../common/memoized.ts';
import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { type RuleView, ruleView } from '../../netfilter/iptables/ruleView.ts';
import { serviceChainKind } from '../../netfilter/proxyChains.ts';
import { linesOf } from '../../node/chainLines.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { ruleOf, rulesOf, targetName } from '../../node/rulesOf.ts';
import { serviceInText } from '../iptables/serviceInText.ts';
import { isOwnTable } from '../isOwnTable.ts';
import type { SeenDetector, SeenSettings } from './seenSettings.ts';

/** Settings of iptables mode, and of IPVS mode as far as its rules show them. */
export const iptablesSettings = memoized((rules: ToolRules): SeenSettings => {
  const { tables, family } = rules;
  const [nat, filter] = [tables.get('nat'), tables.get('filter')];
  const settings: SeenSettings = { family };
  const views = (table: RuleTable | undefined, name: string): readonly RuleView[] => {
    const chain = table?.chains.get(name);
    return chain === undefined ? [] : rulesOf(chain, family).map(ruleView);
  };
  readMark([...views(nat, 'KUBE-MARK-MASQ'), ...views(nat, 'KUBE-POSTROUTING')], settings);
  readServices(nat, settings);
  readForward(views(filter, 'KUBE-FORWARD'), settings);
  const guards = views(filter, 'KUBE-FIREWALL').some(({ notSource }) => notSource === '127.0.0.0/8');
  if (filter?.isWhole) settings.guardsLocalnet = guards;
  readServiceChains(rules, settings);
  settings.hasNfacct ||= views(nat, 'KUBE-NODEPORTS').some(({ hasNfacct }) => hasNfacct);
  return settings;
});

/** 1.1 has a mark of its own, which is no setting. */
function readMark(rules: readonly RuleView[], settings: SeenSettings): void {
  for (const { target, mark } of rules) {
    const value = target?.kind === 'mark' ? target.value : mark;
    if (value !== undefined && value > 0 && (value & (value - 1)) === 0) settings.mark ??= value >>> 0;
  }
}

/** Of all rules for Services the few that tell settings are parsed. */
function readServices(nat: RuleTable | undefined, settings: SeenSettings): void {
  const nodePorts: RuleView[] = [];
  for (const line of linesOf(nat?.chains.get('KUBE-SERVICES'))) {
    const target = targetName(line);
    if (target === 'KUBE-NODEPORTS') nodePorts.push(ruleView(ruleOf(line, settings.family)));
    const isKnown = settings.detector !== undefined && settings.masqueradesAll !== undefined;
    if ((target === 'KUBE-MARK-MASQ' || target === 'MARK') && !isKnown)
      readMasquerade(ruleView(ruleOf(line, settings.family)), settings);
  }
  const everywhere = nodePorts.find(({ isToNode }) => isToNode);
  const addresses = nodePorts.flatMap(({ destination }) => destination ?? []);
  if (everywhere !== undefined) {
    settings.nodePorts = { kind: 'any', excludesLoopback: everywhere.notDestination !== undefined };
  } else if (addresses.length > 0 || (nat !== undefined && isOwnTable(nat) && hasOwnRules(nat))) {
    settings.nodePorts = { kind: 'addresses', addresses };
  }
}

/** kube-proxy wrote the table to its end, so that a rule that is not there was not meant to be. */
function hasOwnRules({ chains }: RuleTable): boolean {
  return (chains.get('KUBE-POSTROUTING')?.text ?? '') !== '';
}

function readForward(rules: readonly RuleView[], settings: SeenSettings): void {
  if (rules.length === 0) return;
  for (const { source, destination, hasNfacct } of rules) {
    const cidr = source ?? destination;
    if (cidr !== undefined) settings.detector ??= { kind: 'cidr', cidr };
    if (hasNfacct) settings.hasNfacct = true;
  }
  settings.isLiberal = !rules.some(({ jump, hasConntrack }) => jump === 'DROP' && hasConntrack);
}

/** A rule that marks traffic to cluster IPs: what it leaves out is traffic of local Pods. */
function readMasquerade(view: RuleView, settings: SeenSettings): void {
  const isMark = view.jump === 'KUBE-MARK-MASQ' || view.target?.kind === 'mark';
  const set = view.set;
  const what = serviceInText(view.comment)?.what;
  // An edited comment says no more than the name: who is left out of an address tells.
  const isUnsaid = what === '' && view.destination !== undefined && detectorOf(view, true) !== undefined;
  const isClusterIP =
    what === 'cluster IP' || isUnsaid || (set !== undefined && proxySetKind(set.name) === 'CLUSTER-IP');
  if (!isMark || !isClusterIP) return;
  const detector = detectorOf(view, true);
  if (detector !== undefined) {
    settings.detector ??= detector;
    settings.masqueradesAll ??= false;
  } else if (set === undefined || set.sides === 'dst,dst') {
    settings.masqueradesAll = true;
  }
}

/**
 * Since 1.22 the rules are in chains of Services; those of external traffic tell traffic of local Pods too. All chains of a
 * kind are alike, so that some of them tell.
 */
function readServiceChains({ tables, family }: ToolRules, settings: SeenSettings): void {
  let [balancing, external] = [0, 0];
  for (const chain of tables.get('nat')?.chains.values() ?? []) {
    if (settings.detector !== undefined && settings.masqueradesAll !== undefined) return;
    const kind = serviceChainKind(chain.name);
    const isExternal = kind === 'external' || kind === 'localExternal';
    const isBalancing = kind === 'balance' || kind === 'localBalance';
    if (isExternal ? external > mostChains : balancing > mostChains || !isBalancing) continue;
    let hasEndpoints = false;
    for (const line of linesOf(chain)) {
      if (serviceChainKind(targetName(line)) === 'endpoint') {
        hasEndpoints = true;
        continue;
      }
      const view = ruleView(ruleOf(line, family));
      readMasquerade(view, settings);
      const detector = isPodRule(view) ? detectorOf(view, false) : undefined;
      if (detector !== undefined) settings.detector ??= detector;
    }
    if (isExternal) external += 1;
    else if (hasEndpoints) balancing += 1;
  }
}

const mostChains = 50;

function isPodRule(view: RuleView): boolean {
  return view.comment.startsWith('pod traffic for ') || view.comment.startsWith('Redirect pods trying ');
}

/** What a rule tells traffic of local Pods by, or with `isNegated` other traffic: `-s 10.244.0.0/16`, `! -i cbr0`, `-i veth+`. */
function detectorOf(view: RuleView, isNegated: boolean): SeenDetector | undefined {
  const cidr = isNegated ? view.notSource : view.source;
  const name = isNegated ? view.notInInterface : view.inInterface;
  if (cidr !== undefined) return { kind: 'cidr', cidr: cidr.includes('/') ? cidr : hostCidr(cidr) };
  if (name === undefined) return undefined;
  return name.endsWith('+') ? { kind: 'prefix', prefix: name.slice(0, -1) } : { kind: 'bridge', name };
}
