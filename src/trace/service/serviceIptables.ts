import { escapeText } from '../../common/text/escapeText.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { printRule } from '../../netfilter/iptables/print/printRule.ts';
import { isProxyChain, isServiceChain } from '../../netfilter/proxyChains.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { rulesOf } from '../../node/rulesOf.ts';
import { servicePortInComment } from '../../seen/names/servicePortInComment.ts';
import { chainOrder, type OrderedRule } from './chainOrder.ts';
import { chainSentences } from './iptablesSentences.ts';
import type { IsAsked } from './isAsked.ts';

/**
 * One Service's rules of iptables: translation, then the filter, then masquerading. Rules of IPVS mode do not name
 * Services: `isOthers` decides which of them do not belong to this one.
 */
export function* serviceIptables(
  rules: ToolRules,
  isAsked: IsAsked,
  isAnnotated: boolean,
  isOthers?: (rule: Rule) => boolean,
): Iterable<string> {
  const printed = sections.flatMap(({ table: name, hooks, shared }) => {
    const table = rules.tables.get(name);
    if (table === undefined) return [];
    // A fragment may lack the calls of its chains.
    const named = table.isWhole || hooks[0] !== 'PREROUTING' ? [] : namedChains(table, rules, isAsked);
    const roots = table.isWhole ? hooks : [...hooks, ...shared, ...named];
    return sectionText(table, { hooks, roots }, rules, isAsked, isAnnotated, isOthers) ?? [];
  });
  if (!printed.some(({ isOwn }) => isOwn)) return;
  yield `# ${rules.family}, for ip${rules.family === 'ipv6' ? '6' : ''}tables-restore --noflush\n`;
  const unseen = [...new Set(printed.flatMap((section) => section.unseen))];
  if (unseen.length > 0) yield `# a part of the node's rules; not shown: ${firstFew(unseen, mostNamed)}\n`;
  for (const { text } of printed) yield text;
}

const sections = [
  { table: 'nat', hooks: ['PREROUTING', 'OUTPUT'], shared: ['KUBE-SERVICES', 'KUBE-NODEPORTS'] },
  {
    table: 'filter',
    hooks: ['INPUT', 'FORWARD', 'OUTPUT'],
    shared: ['KUBE-PROXY-FIREWALL', 'KUBE-NODEPORTS', 'KUBE-EXTERNAL-SERVICES', 'KUBE-FORWARD', 'KUBE-SERVICES'],
  },
  { table: 'nat', hooks: ['POSTROUTING'], shared: ['KUBE-POSTROUTING'] },
] as const;

const mostNamed = 5;

/** Chains of the Service that a fragment shows, whether or not it shows what leads there. */
function namedChains(table: RuleTable, { family }: ToolRules, isAsked: IsAsked): readonly string[] {
  const isNamed = (chain: RuleChain) =>
    rulesOf(chain, family).some((rule) => isAsked(servicePortInComment(commentOf(rule))));
  return [...table.chains.values()]
    .filter((chain) => isServiceChain(chain.name) && isNamed(chain))
    .map(({ name }) => name);
}

function sectionText(
  table: RuleTable,
  { hooks, roots }: { readonly hooks: readonly string[]; readonly roots: readonly string[] },
  { family }: ToolRules,
  isAsked: IsAsked,
  isAnnotated: boolean,
  isOthers: ((rule: Rule) => boolean) | undefined,
): { readonly text: string; readonly isOwn: boolean; readonly unseen: readonly string[] } | undefined {
  let isOwn = false;
  const unseen: string[] = [];
  const rulesIn = (name: string): readonly OrderedRule[] | undefined => {
    const chain = table.chains.get(name);
    const isHook = hooks.includes(name);
    if (chain === undefined || !(isHook || isProxyChain(name))) return undefined;
    const rules = rulesOf(chain, family);
    const sentences = isAnnotated ? chainSentences(rules, table, family) : [];
    return rules.flatMap((rule, at) => {
      const service = servicePortInComment(commentOf(rule));
      const to = rule.target?.kind === 'jump' ? rule.target.chain : undefined;
      // Rules of hooks that lead elsewhere, and other Services' rules, do not belong to this Service.
      if (isHook && (to === undefined || !isProxyChain(to))) return [];
      if (service !== undefined && !isServiceChain(name) && !isAsked(service)) return [];
      if (isOthers?.(rule) === true) return [];
      if (service !== undefined || isOthers !== undefined) isOwn = true;
      const calls = to !== undefined && isProxyChain(to) ? [to] : [];
      if (!table.isWhole) unseen.push(...calls.filter((call) => !table.chains.has(call)));
      return [{ text: printRule(rule, 'save', family), calls, sentence: escapeText(sentences[at] ?? '') }];
    });
  };
  const chains = chainOrder(roots, rulesIn);
  if (chains.length === 0) return undefined;
  const declared = chains.filter(({ name }) => !hooks.includes(name)).map(({ name }) => `:${name} - [0:0]\n`);
  const lines = chains.flatMap(({ rules }) =>
    rules.map(({ text, sentence }) => (isAnnotated ? `# ${sentence}\n${text}\n` : `${text}\n`)),
  );
  return { text: `*${table.name}\n${declared.join('')}${lines.join('')}COMMIT\n`, isOwn, unseen };
}

function commentOf({ words }: Rule): string | undefined {
  for (const word of words) if (word.kind === 'comment') return word.text;
  return undefined;
}
