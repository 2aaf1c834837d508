import { memoized } from '../../common/memoized.ts';
import { type RuleView, ruleView } from '../../netfilter/iptables/print/ruleView.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { ruleOf, rulesOf, targetName } from '../../node/rulesOf.ts';
import { isOwnTable } from '../gaps/isOwnTable.ts';
import { iptablesMasquerade } from './iptablesMasquerade.ts';
import type { SeenSettings } from './seenSettings.ts';

/** Settings of iptables mode, and of IPVS mode as far as its rules show them. */
export const iptablesSettings = memoized((rules: ToolRules): SeenSettings => {
  const { tables, family } = rules;
  const [nat, filter] = [tables.get('nat'), tables.get('filter')];
  const settings: SeenSettings = { family, ...iptablesMasquerade(rules) };
  const views = (table: RuleTable | undefined, name: string): readonly RuleView[] => {
    const chain = table?.chains.get(name);
    return chain === undefined ? [] : rulesOf(chain, family).map(ruleView);
  };
  readMark([...views(nat, 'KUBE-MARK-MASQ'), ...views(nat, 'KUBE-POSTROUTING')], settings);
  readServices(nat, settings);
  readForward(views(filter, 'KUBE-FORWARD'), settings);
  const guards = views(filter, 'KUBE-FIREWALL').some(({ notSource }) => notSource === '127.0.0.0/8');
  if (filter?.isWhole) settings.guardsLocalnet = guards;
  settings.hasNfacct ||= views(nat, 'KUBE-NODEPORTS').some(({ hasNfacct }) => hasNfacct);
  return settings;
});

/** 1.1 uses another mark, which is not a setting. */
function readMark(rules: readonly RuleView[], settings: SeenSettings): void {
  for (const { target, mark } of rules) {
    const value = target?.kind === 'mark' ? target.value : mark;
    if (value !== undefined && value > 0 && (value & (value - 1)) === 0) settings.mark ??= value >>> 0;
  }
}

/** Only the few rules for Services that show settings are parsed. */
function readServices(nat: RuleTable | undefined, settings: SeenSettings): void {
  const nodePorts: RuleView[] = [];
  for (const line of linesOf(nat?.chains.get('KUBE-SERVICES'))) {
    const target = targetName(line);
    if (target === 'KUBE-NODEPORTS') nodePorts.push(ruleView(ruleOf(line, settings.family)));
  }
  const everywhere = nodePorts.find(({ isToNode }) => isToNode);
  const addresses = nodePorts.flatMap(({ destination }) => destination ?? []);
  if (everywhere !== undefined) {
    settings.nodePorts = { kind: 'any', excludesLoopback: everywhere.notDestination !== undefined };
  } else if (addresses.length > 0 || (nat !== undefined && isOwnTable(nat) && hasOwnRules(nat))) {
    settings.nodePorts = { kind: 'addresses', addresses };
  }
}

/** kube-proxy's rules in the table are complete: a rule that is missing was not intended. */
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
