import { escapeText } from '../../../common/text/escapeText.ts';
import type { Rule } from '../../../netfilter/iptables/ast.ts';
import { jumpOf } from '../../../netfilter/iptables/ruleParts.ts';
import { isProxyChain } from '../../../netfilter/proxyChains.ts';
import { linesOf, placeOf } from '../../../node/lines/chainLines.ts';
import type { ToolRules } from '../../../node/nodeRules.ts';
import { pickRules } from '../../../node/pickRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { rulesOf } from '../../../node/rulesOf.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { DumpFinding } from '../dumpFinding.ts';
import { ruleAcceptsPods } from './acceptsPods.ts';

/** K8N603: a firewall rejects what no earlier rule took. */
export function* firewallChecks(set: ToolRules): Iterable<DumpFinding> {
  for (const name of ['INPUT', 'FORWARD']) {
    const chain = set.tables.get('filter')?.chains.get(name);
    if (chain === undefined) continue;
    const at = refusalIn(chain, set);
    const before = at === undefined ? [] : rulesOf(chain, set.family).slice(0, at);
    if (at === undefined || before.some((rule) => sparesPods(rule, set, name))) continue;
    const seen = `${name} refuses the rest with ${escapeText(linesOf(chain)[at] as string)}`;
    yield { finding: makeFinding('K8N603', { what: seen, found: [placeOf(chain, at)] }) };
  }
}

function refusalIn(chain: RuleChain, { family }: ToolRules): number | undefined {
  for (const { rule, at } of pickRules(chain, family, { holds: ['-prohibited'] })) if (isRefusal(rule)) return at;
  return undefined;
}

/** The usual final rejection of a firewall. */
function isRefusal({ target }: Rule): boolean {
  return target?.kind === 'reject' && /^icmp6?-(?:host|adm)-prohibited$/.test(target.with ?? '');
}

/** What Pods send and receive is accepted earlier, by the rule or in the chain that it leads to. */
function sparesPods(rule: Rule, set: ToolRules, from: string): boolean {
  const target = jumpOf(rule) ?? '';
  if (isProxyChain(target)) return false;
  if (from === 'FORWARD' && ruleAcceptsPods(rule, set.family)) return true;
  const inner = set.tables.get('filter')?.chains.get(target);
  return isForPods(rule) || (inner !== undefined && rulesOf(inner, set.family).slice(0, 200).some(isForPods));
}

/** By an interface of Pods, or a whole network; a port or a state makes it a rule for something else. */
function isForPods(rule: Rule): boolean {
  const asked = rule.words.filter(({ kind }) => kind !== 'comment');
  const [only] = asked;
  if (only === undefined || asked.length > 1 || jumpOf(rule) !== 'ACCEPT') return false;
  switch (only.kind) {
    case 'source':
    case 'destination': {
      const length = Number(/\/(\d+)$/.exec(only.address)?.[1]);
      return !only.negated && length >= 8 && length <= 28;
    }
    case 'inInterface':
    case 'outInterface':
      return !only.negated && /^(?:cni|tun0|cbr0|cali|lxc|flannel|weave|eni)/.test(only.name);
    default:
      return false;
  }
}
